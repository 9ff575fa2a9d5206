import type { Failed } from "#framework";
import type { PveError, PveErrorKind } from "#pve";
import { takeOutFirst } from "./in-use.ts";

type Details = PveError["details"];

/** What to do about an error of the client; empty where its own words say all there is to say. */
export const cureOf = (error: PveError): string => cures[error.kind](error);

const cures: Record<PveErrorKind, (error: PveError) => string> = {
  unreachable: ({ details }) =>
    details.distrust
      ? trustCures[details.distrust]
      : details.status === undefined
        ? "Check the address and the port of the endpoint (Proxmox VE listens on 8006), and that the host is online. `terraform-provider-proxmox doctor` tests name, connection, certificate and login one by one."
        : details.status === 429
          ? "Proxmox VE itself limits no requests: a proxy in front of it does, and nothing was done. Raise its limit, or send fewer at a time: `requests = { concurrency = … }` in the provider block, or `-parallelism`."
          : "Check that the endpoint answers and that the node is online, then run this again.",
  auth: ({ details }) => loginCure(details),
  permission: ({ details: { missing } }) =>
    missing
      ? `Grant ${missing.privileges.join(" or ")} on ${missing.paths.join(" or ")} to the user, and to the token if it has privilege separation.`
      : "Some options are reserved to root@pam logging in with a password: a token of root is not enough.",
  not_found: () => "It may have been removed or moved outside of Terraform; the next plan shows what is there.",
  exists: () => "It belongs to another object. Choose another id or name, or import what is there.",
  locked: ({ details: { lock } }) => {
    if (lock?.isOverload)
      return "The host is too busy to begin the work, and nothing was done. Look at its load and memory, then run this again; fewer operations at a time (`-parallelism`) help.";
    if (lock?.mayStay)
      return "Another client holds the lock of the SDN, or left it behind when it was stopped; Proxmox VE does not show which one. Wait for it and run this again. If nothing changes the SDN any more, release it with `pvesh delete /cluster/sdn/lock --force 1` on any node, or with the action `proxmox_sdn_rollback` or `proxmox_sdn_apply` with `break_lock = true`.";
    if (lock?.name === "destroyed")
      return `It is half destroyed: its volumes are gone, and its configuration contains only the lock "destroyed". Unlock it as root on its node (\`qm unlock ${lock.vmid ?? "VMID"}\` for a VM, \`pct unlock ${lock.vmid ?? "VMID"}\` for a container), then run this again to remove the rest.`;
    return lock?.transient === false
      ? `The lock "${lock.name}" is not released automatically: look at the VM and unlock it on its node.`
      : "Another operation holds it. Wait for that to end, then run this again.";
  },
  invalid: () => "",
  conflict: ({ details }) => (details.isInUse ? takeOutFirst : "Its state does not allow this now."),
  task: () => "",
  timeout: ({ details: { upid } }) =>
    upid === undefined
      ? "The cluster takes too long to answer. Check its load, or allow more time: `requests = { timeout = … }` in the provider block."
      : "Look at the task on its node: if it runs on, wait for its end and run this again. A slow storage can be given more time: `tasks = { timeout = … }` in the provider block, or PROXMOX_VE_TASK_TIMEOUT, is how long a task may show no progress.",
  malformed: () =>
    "The answer is not what the API promises. If a proxy is in between, check it; otherwise please report this.",
};

const readFingerprint =
  "On the host itself, `pvenode cert info` prints the SHA-256 fingerprint of the certificate it serves.";

/** Nothing a stranger's server shows is ever proposed as what to trust. */
const trustCures: Record<NonNullable<Details["distrust"]>, string> = {
  pin: `Nothing was sent to it. Either the certificate was renewed, or another machine answers at this address. ${readFingerprint} Change \`tls_fingerprint\` (PROXMOX_VE_TLS_FINGERPRINT) only to what you have read there.`,
  expired:
    "Renew it on the node: `pvecm updatecerts --force` for the certificate of the cluster, `pvenode acme cert renew` for one of ACME. If it is valid there, the clock of this machine is wrong.",
  not_yet_valid: "Compare the clock of this machine with the clock of the node.",
  host_name: `Use a name or an address of the certificate in \`endpoint\`, or pin the certificate with \`tls_fingerprint\`. ${readFingerprint}`,
  authority: `Set \`ca_certificate\` (PROXMOX_VE_CA_CERTIFICATE) to the certificate authority of this cluster, the file /etc/pve/pve-root-ca.pem of any of its nodes; if it is set, it is the one of another cluster. Or pin the certificate with \`tls_fingerprint\`. ${readFingerprint}`,
  other: "Look at the certificate of the host: `terraform-provider-proxmox doctor` shows what is wrong with it.",
};

function loginCure({ login }: Details): string {
  switch (login?.with) {
    case "token":
      return `Check \`api_token\` (PROXMOX_VE_API_TOKEN): the token ${login.as} may be mistyped, expired or removed, or its user may be disabled. Datacenter > Permissions > API Tokens lists the tokens; a lost secret cannot be read again, so create another token.`;
    case "password":
      return `Check \`username\`, its realm and \`password\` (PROXMOX_VE_USERNAME, PROXMOX_VE_PASSWORD): ${login.as} may be mistyped, disabled or expired. An account with a second factor needs \`totp_secret\` or \`otp\`.`;
    case "ticket":
      return "The ticket (PROXMOX_VE_AUTH_TICKET) is not valid any more: tickets last two hours. Log in again, or use an API token.";
    default:
      return "Check the API token, or user name and password: a token may be expired, disabled or mistyped.";
  }
}

const withoutChecks =
  '`plan_checks = "off"` in the provider block, or PROXMOX_VE_PLAN_CHECKS=off in the environment, plans without looking at the cluster.';

/** How to proceed without the cluster, where that is possible. */
export function wayPast({ kind, details }: PveError, operation: Failed["operation"]): string {
  const isOutage = kind === "unreachable" || kind === "timeout" || kind === "auth";
  switch (operation) {
    case "configure":
      // What is wrong with the settings themselves never left this machine.
      return details.method === undefined
        ? ""
        : `No resource of this provider was read or planned. ${withoutChecks} Resources that exist already are then planned with \`-refresh=false\`.`;
    case "plan":
      return isOutage ? withoutChecks : "";
    case "read":
      return isOutage
        ? `\`-refresh=false\` plans with what the state says, together with \`plan_checks = "off"\` or PROXMOX_VE_PLAN_CHECKS=off.`
        : "";
    default:
      return "";
  }
}
