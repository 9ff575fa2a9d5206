import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { PveError } from "../errors.ts";
import type { Call, Parameters, Send } from "../transport/call.ts";
import { parseAnswer } from "../transport/parse-answer.ts";
import { apiObject, flag } from "../wire.ts";
import type { PasswordCredentials } from "./credentials.ts";
import { OwnCredentials } from "./own-credentials.ts";
import { createTotp } from "./totp.ts";

/** The result of a login: the cookie's value and the header that every write needs. */
export interface Ticket {
  readonly ticket: string;
  readonly csrfToken: string;
}

const answerSchema = apiObject(() => ({
  ticket: z.string(),
  CSRFPreventionToken: z.string().optional(),
  NeedTFA: flag.optional(),
}));

/** `POST /access/ticket` (pve-access-control: src/PVE/API2/AccessControl.pm). */
async function askTicket(send: Send, parameters: Parameters): Promise<z.infer<typeof answerSchema>> {
  const template = "/access/ticket";
  // Two requests yield two tickets, which is harmless.
  const call: Call = { method: "POST", template, path: template, parameters, headers: {}, isRepeatable: true };
  return parseAnswer(call, await send(call), answerSchema).data;
}

/** A valid ticket also works as a password, without a second factor. */
export async function renewTicket(send: Send, username: string, ticket: string): Promise<Ticket> {
  return finished(await askTicket(send, { username, password: ticket }));
}

/** Logs in with a password and, where the account has one, the second factor. */
export function createLogin(
  credentials: PasswordCredentials,
  own = new OwnCredentials(credentials),
): (send: Send) => Promise<Ticket> {
  const { username } = credentials;
  const nextCode = codeSource(credentials);
  return async (send) => {
    const { password } = own.current as PasswordCredentials;
    const answer = await askTicket(send, { username, password });
    const isChallenge = answer.NeedTFA === true || answer.ticket.startsWith("PVE:!tfa!");
    if (!isChallenge) {
      return finished(answer);
    }
    const code = await nextCode();
    const challenge = { username, "tfa-challenge": answer.ticket, password: `totp:${code}` };
    return finished(await askTicket(send, challenge));
  };
}

function finished({ ticket, CSRFPreventionToken }: z.infer<typeof answerSchema>): Ticket {
  return { ticket, csrfToken: CSRFPreventionToken ?? "" };
}

type CodeSource = () => Promise<string>;

/** One for each credentials, however many log in with them. */
const sources = new WeakMap<PasswordCredentials, CodeSource>();

function codeSource(credentials: PasswordCredentials): CodeSource {
  const source = sources.get(credentials) ?? createCodeSource(credentials);
  sources.set(credentials, source);
  return source;
}

/** Codes for the second factor. PVE accepts each code only once, so a second login waits for the next. */
function createCodeSource({ username, totpSecret, otp }: PasswordCredentials): CodeSource {
  const totp = totpSecret === undefined ? undefined : createTotp(totpSecret);
  let lastStep = -1;
  let unused = otp;
  return async () => {
    if (totp === undefined) {
      const code = unused;
      unused = undefined;
      if (code === undefined) {
        const cure =
          otp === undefined ? "give its TOTP secret, or use an API token" : "the one-time password is used up";
        throw new PveError("auth", `${username} requires a second factor: ${cure}`);
      }
      return code;
    }
    if (totp.at(Date.now()).step === lastStep) {
      await sleep(totp.at(Date.now()).endsInMs);
    }
    const { code, step } = totp.at(Date.now());
    lastStep = step;
    return code;
  };
}
