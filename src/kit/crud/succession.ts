import type { Members } from "../wire/wired.ts";
import type { Crud } from "./define-crud.ts";

/** From the plan of an object to that of its replacement, which Terraform plans as a new one right after it. */
interface Noted {
  replacing?: string;
  hasSuccessor?: true;
}

interface Planning {
  readonly config: object;
  readonly privateState: object;
}

/** The object that is planned may be replaced: Terraform can decide so after this plan. */
export function noteReplaceable({ model }: Crud, prior: object, { privateState }: Planning): void {
  const noted = privateState as Noted;
  noted.replacing = model.idText(model.idIn(prior as Members));
  delete noted.hasSuccessor;
}

/** Whether the new object that is planned takes the place of the one before it. */
export const isReplacement = ({ model }: Crud, { config, privateState }: Planning): boolean =>
  (privateState as Noted).replacing === model.idText(model.idOf(config as Members));

/** Terraform removes the old object with the private data of the new one's plan. */
export function noteSuccessor(crud: Crud, context: Planning): void {
  const noted = context.privateState as Noted;
  if (isReplacement(crud, context)) noted.hasSuccessor = true;
  else delete noted.hasSuccessor;
}

export const forgetSuccessor = ({ privateState }: Pick<Planning, "privateState">): void => {
  delete (privateState as Noted).hasSuccessor;
};

export const hasSuccessor = ({ privateState }: Pick<Planning, "privateState">): boolean =>
  (privateState as Noted).hasSuccessor === true;
