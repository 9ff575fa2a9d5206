import { isPveError, type PveError } from "#pve";
import { type Check, failed, ok } from "../check.ts";
import type { Visit } from "../visit.ts";

/** Whether what answers is Proxmox VE. A refused login is an answer as well. */
export const api: Check = {
  id: "api",
  needs: ["credentials", "certificate"],
  async look(visit) {
    const began = performance.now();
    const refused = await refusal(visit);
    if (refused === undefined || refused.kind === "auth") {
      return ok(`answers in ${Math.ceil(performance.now() - began)} ms`);
    }
    return failed(
      refused.message,
      refused.kind === "malformed"
        ? "That is not Proxmox VE's API. Give the address of a node itself, without the path of a reverse proxy."
        : "On the host: `systemctl status pveproxy pvedaemon`, and `journalctl -u pveproxy` for the reason.",
    );
  },
};

/** Whether the server takes the credentials. */
export const login: Check = {
  id: "login",
  needs: ["api"],
  async look(visit) {
    const refused = await refusal(visit);
    const { identity } = visit.client();
    if (refused === undefined) return ok(`accepted as ${identity}`);
    const [user = "", token] = identity.split("!");
    return failed(
      `${identity} is refused: ${refused.message}`,
      ...(token === undefined ? passwordCure(user) : tokenCure(user, token)),
    );
  },
};

/** `GET /version` asks for a login and for no privilege. */
async function refusal(visit: Visit): Promise<PveError | undefined> {
  try {
    await visit.version();
    return undefined;
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return reason;
  }
}

const tokenCure = (user: string, token: string): string[] => [
  "Proxmox VE does not say which it is: another secret, no such token, or the user or the token is disabled or expired.",
  `  pveum user list && pveum user token list ${user}`,
  "A secret is shown once, when the token is made. To make it anew:",
  `  pveum user token remove ${user} ${token}; pveum user token add ${user} ${token} --privsep 0`,
  "and give all of it: PROXMOX_VE_API_TOKEN='user@realm!name=secret'.",
];

const passwordCure = (user: string): string[] => [
  `Check PROXMOX_VE_USERNAME, its realm (\`@pam\`, \`@pve\`) and PROXMOX_VE_PASSWORD; \`pveum user list\` shows whether ${user} is enabled.`,
  "A user with a second factor needs PROXMOX_VE_TOTP_SECRET; an API token needs neither.",
];
