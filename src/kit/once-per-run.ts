import type { Session } from "./session.ts";

/** A question to the cluster whose answer is good for the whole run. */
export interface OncePerRun<T> {
  (api: Session): Promise<T>;
  /** This run has changed the answer. */
  forget(api: Session): void;
}

/** Asks when somebody first wants to know, and again only after a failure or when told to. */
export function oncePerRun<T>(ask: (api: Session) => Promise<T>): OncePerRun<T> {
  const answers = new WeakMap<Session, Promise<T>>();
  const answer = (api: Session): Promise<T> => {
    const known = answers.get(api);
    if (known !== undefined) return known;
    const asked = ask(api);
    answers.set(api, asked);
    asked.catch(() => answers.delete(api));
    return asked;
  };
  return Object.assign(answer, { forget: (api: Session) => void answers.delete(api) });
}
