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

/** A question about something, whose answer is good for the whole run unless it does not show what is looked for. */
export interface OncePerSubject<S extends readonly string[], T> {
  (api: Session, ...subject: S): Promise<T>;
  /** The answer, asked for anew if it does not show what is looked for: this run may have made it since. */
  showing(api: Session, subject: S, shows: (answer: T) => boolean): Promise<T>;
}

/** The same with one answer for each subject. */
export function oncePerRunFor<S extends readonly string[], T>(
  ask: (api: Session, ...subject: S) => Promise<T>,
): OncePerSubject<S, T> {
  const questions = new Map<string, OncePerRun<T>>();
  const questionOf = (subject: S): OncePerRun<T> => {
    const key = JSON.stringify(subject);
    const question = questions.get(key) ?? oncePerRun((api) => ask(api, ...subject));
    questions.set(key, question);
    return question;
  };
  const answer = (api: Session, ...subject: S): Promise<T> => questionOf(subject)(api);
  const showing = async (api: Session, subject: S, shows: (found: T) => boolean): Promise<T> => {
    const question = questionOf(subject);
    const known = await question(api);
    if (shows(known)) return known;
    await question.changing(api, async () => {});
    return question(api);
  };
  return Object.assign(answer, { showing });
}
