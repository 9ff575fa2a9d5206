import type { Session } from "./session.ts";

/** A question to the cluster whose answer is good for the whole run. */
export interface OncePerRun<T> {
  (api: Session): Promise<T>;
  /** Does what changes the answer, or may have changed it if it fails. */
  changing<R>(api: Session, work: () => Promise<R>): Promise<R>;
}

/** Asks when somebody first wants to know, and again only after a failure or a change. */
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
  const changing = async <R>(api: Session, work: () => Promise<R>): Promise<R> => {
    try {
      return await work();
    } finally {
      answers.delete(api);
    }
  };
  return Object.assign(answer, { changing });
}

/** The same for a question about something: one answer for each subject. */
export function oncePerRunFor<S extends readonly string[], T>(
  ask: (api: Session, ...subject: S) => Promise<T>,
): (api: Session, ...subject: S) => Promise<T> {
  const questions = new Map<string, OncePerRun<T>>();
  return (api, ...subject) => {
    const key = JSON.stringify(subject);
    const question = questions.get(key) ?? oncePerRun((session) => ask(session, ...subject));
    questions.set(key, question);
    return question(api);
  };
}
