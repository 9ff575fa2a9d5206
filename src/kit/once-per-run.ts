import type { Session } from "./session.ts";

/** A question to the cluster whose answer is good for the whole run. */
export interface OncePerRun<T> {
  (api: Session): Promise<T>;
  /** Does what changes the answer, or may have changed it if it fails. */
  changing<R>(api: Session, work: () => Promise<R>): Promise<R>;
  /** The answer may have changed. */
  forget(api: Session): void;
}

let questions = 0;

/** Asks when the answer is first needed, and again only after a failure or a change. */
export function oncePerRun<T>(ask: (api: Session) => Promise<T>): OncePerRun<T> {
  const question = `question ${questions++}`;
  const answer = (api: Session): Promise<T> => api.store.remember(question, () => ask(api));
  const changing = <R>(api: Session, work: () => Promise<R>): Promise<R> => api.store.changing(question, work);
  const forget = (api: Session): void => api.store.forget(question);
  return Object.assign(answer, { changing, forget });
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
  const question = `question ${questions++}`;
  const about = (subject: S): string => `${question} ${JSON.stringify(subject)}`;
  const answer = (api: Session, ...subject: S): Promise<T> =>
    api.store.remember(about(subject), () => ask(api, ...subject));
  const showing = async (api: Session, subject: S, shows: (found: T) => boolean): Promise<T> => {
    const found = await answer(api, ...subject);
    if (shows(found)) return found;
    api.store.forget(about(subject));
    return answer(api, ...subject);
  };
  return Object.assign(answer, { showing });
}
