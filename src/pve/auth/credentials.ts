import { PveError } from "../errors.ts";

/** The caller's credentials for PVE. */
export type Credentials = TokenCredentials | PasswordCredentials | TicketCredentials;

export interface TokenCredentials {
  readonly kind: "token";
  /** `user@realm!name=secret` */
  readonly token: string;
}

export interface PasswordCredentials {
  readonly kind: "password";
  /** `user@realm` */
  readonly username: string;
  readonly password: string;
  /** Secret or `otpauth://` address of the user's authenticator app; codes are generated from it. */
  readonly totpSecret?: string | undefined;
  /** One code, valid for one login. */
  readonly otp?: string | undefined;
}

/** A ticket that was obtained elsewhere. It renews itself as long as it is valid. */
export interface TicketCredentials {
  readonly kind: "ticket";
  readonly ticket: string;
  readonly csrfToken: string;
}

/** User and realm as PVE defines them, and a token of that user (pve-access-control: src/PVE/AccessControl.pm). */
const tokenShape = /^([^\s:/]{1,64}@[A-Za-z][A-Za-z0-9._-]+![A-Za-z][A-Za-z0-9._-]+)=(\S+)$/;
const userShape = /^[^\s:/]{1,64}@[A-Za-z][A-Za-z0-9._-]+$/;

/**
 * Refuses what PVE could never accept, so that the message here names the mistake, instead of a plain 401 three seconds
 * later.
 */
export function checkCredentials(credentials: Credentials): Credentials {
  if (credentials.kind === "token" && !tokenShape.test(credentials.token)) {
    throw new PveError("invalid", "the API token is not of the form user@realm!name=secret");
  }
  if (credentials.kind === "password" && !userShape.test(credentials.username)) {
    throw new PveError("invalid", `"${credentials.username}" is not of the form user@realm (such as root@pam)`);
  }
  return credentials;
}

/** The caller's name in PVE: `user@realm` or `user@realm!name`. */
export function identityOf(credentials: Credentials): string {
  switch (credentials.kind) {
    case "token":
      return tokenShape.exec(credentials.token)?.[1] ?? "";
    case "password":
      return credentials.username;
    case "ticket":
      return credentials.ticket.split(":")[1] ?? "";
  }
}

/** All parts of them that must never appear in a log. */
export function secretsOf(credentials: Credentials): readonly string[] {
  switch (credentials.kind) {
    case "token":
      return [tokenShape.exec(credentials.token)?.[2] ?? credentials.token];
    case "password":
      return [credentials.password, credentials.totpSecret, credentials.otp].filter((secret) => secret !== undefined);
    case "ticket":
      return [credentials.ticket, credentials.csrfToken];
  }
}
