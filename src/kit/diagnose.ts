import type { Explanation, Failed } from "#framework";
import type { PveError, PveErrorKind } from "#pve";
import { isPveError } from "./pve-error.ts";
import { pathOfOption, SubjectError } from "./subject.ts";

/**
 * The one place where an error of the client becomes a message: what could not be done to what, what PVE said, the call
 * and the task, what state things are in, and what to do next. Anything else is not ours to explain.
 */
export function diagnose(error: unknown, about: Failed): Explanation | undefined {
  const noun = about.operation === "configure" ? "the provider" : nounOf(about.type);
  const subject = error instanceof SubjectError ? error.subject : noun;
  const cause = error instanceof SubjectError ? error.cause : error;
  if (!isPveError(cause)) return undefined;
  const verb = (error instanceof SubjectError && error.verb) || about.operation;
  const option = Object.keys(cause.details.params ?? {})[0];
  const path = error instanceof SubjectError && option ? pathOfOption(error.attributes, option) : null;
  return {
    summary: `Unable to ${verb} ${subject}`,
    detail: [said(cause), where(cause), log(cause), remains(cause), cures[cause.kind](cause)]
      .filter(Boolean)
      .join("\n\n"),
    ...(path && { path }),
  };
}

const nounOf = (type: string): string => type.replace(/^proxmox_/, "").replaceAll("_", " ");

/** Not everything the client says it has from PVE: what never left this machine has no call. */
function said({ message, details: { method, upid } }: PveError): string {
  const isHeard = method !== undefined || upid !== undefined;
  return isHeard ? `Proxmox VE says: ${message.trim()}` : sentence(message.trim());
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

function where({ details: { method, path, status, upid } }: PveError): string {
  const call = method && path ? `Call: ${method} ${path}${status === undefined ? "" : ` (${status})`}` : "";
  return [call, upid ? `Task: ${upid}` : ""].filter(Boolean).join("\n");
}

const log = ({ details: { log: lines = [] } }: PveError): string =>
  lines.length === 0 ? "" : ["The end of the task's log:", ...lines.map((line) => `  ${line}`)].join("\n");

const remains = (error: PveError): string =>
  error.mayHaveHappened
    ? "The answer was lost, so it may have been done all the same. Nothing was sent a second time; the next plan shows what is there."
    : "";

const cures: Record<PveErrorKind, (error: PveError) => string> = {
  unreachable: () => "Check that the endpoint answers and that the node is online, then run this again.",
  auth: () => "Check the API token, or user name and password: a token may be expired, disabled or mistyped.",
  permission: ({ details: { missing } }) =>
    missing
      ? `Grant ${missing.privileges.join(" or ")} on ${missing.paths.join(" or ")} to the user, and to the token if it has privilege separation.`
      : "Some options are reserved to root@pam logging in with a password: a token of root is not enough.",
  not_found: () => "It may have been removed or moved by somebody else; the next plan shows what is there.",
  exists: () => "Somebody else has it. Choose another id or name, or import what is there.",
  locked: ({ details: { lock } }) => {
    if (lock?.isOverload)
      return "The host is too busy to begin the work, and nothing was done. Look at its load and memory, then run this again; fewer operations at a time (`-parallelism`) help.";
    return lock?.transient === false
      ? `The lock "${lock.name}" does not go away by itself: look at the VM and unlock it on its node.`
      : "Somebody else works on it. Wait for that to end, then run this again.";
  },
  invalid: () => "",
  conflict: () => "Its state does not allow this now.",
  task: () => "",
  timeout: () => "Look at the task on the node: if it runs on, wait for it and run this again.",
  malformed: () =>
    "The answer is not what the API promises. If a proxy is in between, check it; otherwise please report this.",
};
