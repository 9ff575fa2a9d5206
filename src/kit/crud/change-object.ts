import { Failure } from "#framework";
import type { ConfigObject } from "#pve";
import { provenWrite, withDigest } from "../proven-write.ts";
import { sentenceCase } from "../sentence-case.ts";
import type { Session } from "../session.ts";
import type { ConfigPatch } from "../wire/config-draft.ts";
import type { Members } from "../wire/wired.ts";
import type { Crud } from "./define-crud.ts";
import { oneAtATime } from "./one-at-a-time.ts";

interface Change {
  readonly api: Session;
  readonly id: Members;
  readonly desired: Members;
  readonly signal: AbortSignal;
}

/** One `PUT` with what differs, under the digest of what was read; nothing where nothing is left to send. */
export async function changeObject(
  { definition, model, access }: Crud,
  { api, id, desired, signal }: Change,
): Promise<void> {
  const { noun } = definition;
  const read = async () => {
    const found = await access.find(api, id, { signal, purpose: "proof" });
    if (found !== null) return found;
    const gone = `${sentenceCase(noun)} is gone`;
    throw new Failure(
      gone,
      `${sentenceCase(model.label(id))} does not exist any more. The next plan creates it again.`,
    );
  };
  const change = async (now: ConfigObject) => {
    const patch = access.changeable(model.remaining(now, desired));
    if (isNothing(patch)) return;
    const isDone = async () => isNothing(access.changeable(model.remaining(await read(), desired, { isProof: true })));
    const write = () => access.update(api, id, now, { patch, desired }, signal);
    await provenWrite(api, { write, isDone, signal });
  };
  await oneAtATime(api, definition.file, () => withDigest(api, read, change));
}

const isNothing = ({ set, delete: unset }: ConfigPatch): boolean => Object.keys(set).length + unset.length === 0;
