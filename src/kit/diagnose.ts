import type { Explanation, Failed } from "#framework";
import type { PveError, TaskFate, WaitAborted } from "#pve";
import { quote } from "../text/quote.ts";
import { aftermathOf } from "./aftermath.ts";
import { cureOf, wayPast } from "./cures.ts";
import { othersHitBy } from "./outage.ts";
import { isPveError, isWaitAborted } from "./pve-error.ts";
import { remarkOnBlock } from "./reach.ts";
import { pathOfOption, SubjectError } from "./subject.ts";

/**
 * The one place where an error of the client becomes a message: what could not be done to what, what PVE said, the call
 * and the task, what state things are in, and what to do next. Anything else is not ours to explain.
 */
export function diagnose(error: unknown, about: Failed): Explanation | undefined {
  const isConfigured = about.operation === "configure";
  const noun = isConfigured ? "the provider" : nounOf(about.type);
  const subject = error instanceof SubjectError ? error.subject : noun;
  const cause = error instanceof SubjectError ? error.cause : error;
  if (isWaitAborted(cause)) return fateOf(cause, subject);
  if (!isPveError(cause)) return undefined;
  const verb = (error instanceof SubjectError && error.verb) || about.operation;
  const option = Object.keys(cause.details.params ?? {})[0];
  const path = error instanceof SubjectError && option ? pathOfOption(error.attributes, option) : null;
  const parts = [
    said(cause),
    where(cause),
    log(cause),
    remains(cause),
    cureOf(cause),
    hitToo(othersHitBy(cause)),
    wayPast(cause, about.operation),
    remarkOnBlock(cause),
    aftermathOf(cause),
  ];
  return {
    ...((isConfigured && outage(cause)) || { summary: `Unable to ${verb} ${subject}` }),
    detail: parts.filter(Boolean).join("\n\n"),
    ...(path && { path }),
  };
}

const fates: Readonly<Record<TaskFate, (type: string) => string>> = {
  stopped: (type) => `The task (${type}) was stopped. Proxmox VE undoes what it has begun.`,
  not_stopped: (type) =>
    `The task (${type}) could not be stopped, and may continue. Wait for its end before the next plan.`,
  continues: (type) =>
    `The task (${type}) continues on its node, since stopping it would leave something half done. Wait for its end before the next plan.`,
};

/** The error itself is the interruption or the time limit, which the framework reports; this is what remains on the cluster. */
function fateOf(aborted: WaitAborted, subject: string): Explanation {
  const { upid, fate } = aborted;
  const parts = [fates[fate](upid.split(":")[5] ?? ""), `Task: ${upid}`, aftermathOf(aborted)];
  return {
    severity: "warning",
    summary: fate === "stopped" ? `Task of ${subject} was stopped` : `Task of ${subject} continues`,
    detail: parts.filter(Boolean).join("\n\n"),
  };
}

/** A cluster that cannot be worked with at all: what is wrong with it, and the setting that may be wrong. */
function outage({ kind, details: { distrust, login } }: PveError): { summary: string; path: string } | null {
  if (distrust === "pin") return { summary: "Another certificate than the pinned one", path: "tls_fingerprint" };
  if (distrust !== undefined) return { summary: "Certificate is not trusted", path: "ca_certificate" };
  if (kind === "auth") return { summary: "Login refused", path: login?.with === "password" ? "password" : "api_token" };
  return kind === "unreachable" || kind === "timeout"
    ? { summary: "Cluster cannot be reached", path: "endpoint" }
    : null;
}

const hitToo = (others: number): string =>
  others === 0
    ? ""
    : `${others} more ${others === 1 ? "resource" : "resources"} could not be read for the same reason.`;

const nounOf = (type: string): string => type.replace(/^proxmox_/, "").replaceAll("_", " ");

/** Only what the client has read from PVE itself: time limits, sizes and shapes are the client's own words. */
function said({ message, details: { isQuoted } }: PveError): string {
  return isQuoted ? `Proxmox VE says: ${message.trim()}` : sentence(message.trim());
}

const sentence = (text: string): string => {
  const begun = /^https?:/.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
};

function where({ details: { method, path, status, upid } }: PveError): string {
  const call = method && path ? `Call: ${method} ${path}${status === undefined ? "" : ` (${status})`}` : "";
  return [call, upid ? `Task: ${upid}` : ""].filter(Boolean).join("\n");
}

const log = ({ details: { log: lines = [] } }: PveError): string =>
  lines.length === 0 ? "" : ["The end of the task's log:", ...lines.map((line) => `  ${quote(line)}`)].join("\n");

/** What becomes of it is shown by the next plan: what may have been created is in the state. */
const remains = ({ mayHaveHappened, details: { upid } }: PveError): string => {
  if (!mayHaveHappened) return "";
  return upid === undefined
    ? "The answer was lost, so it may have been done all the same. Nothing was sent a second time; the next plan shows what is there."
    : "The task may still be running, and may end well. Nothing was sent a second time; the next plan shows what is there.";
};
