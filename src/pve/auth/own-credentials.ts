import { type Credentials, identityOf } from "./credentials.ts";

/**
 * The caller's credentials, which the caller itself can change: another password of its own user, another secret of its own
 * token. From then on PVE refuses the old ones, so everything that sends or confirms them asks here.
 */
export class OwnCredentials {
  #current: Credentials;
  #change: Promise<unknown> = Promise.resolve();

  constructor(credentials: Credentials) {
    this.#current = credentials;
  }

  get current(): Credentials {
    return this.#current;
  }

  areOf(who: string): boolean {
    return who === identityOf(this.#current);
  }

  /** The credentials after a change that is under way: PVE may refuse the old ones before its answer has arrived. */
  async settled(): Promise<Credentials> {
    await this.#change;
    return this.#current;
  }

  /** Makes a change of the secret of `who` (`user@realm` or `user@realm!token`), which may be the caller. */
  changing<T>(who: string, change: () => Promise<T>, secretIn: (answer: T) => string): Promise<T> {
    if (!this.areOf(who)) return change();
    const changed = change().then((answer) => {
      this.#current = withSecret(this.#current, secretIn(answer));
      return answer;
    });
    this.#change = changed.catch(() => {});
    return changed;
  }
}

/** A ticket has no secret that could change: it stays valid when the password does not. */
function withSecret(credentials: Credentials, secret: string): Credentials {
  switch (credentials.kind) {
    case "token":
      return { ...credentials, token: `${identityOf(credentials)}=${secret}` };
    case "password":
      return { ...credentials, password: secret };
    case "ticket":
      return credentials;
  }
}
