import { isPveError, type PveError } from "#pve";
import { type Check, failed, ok } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

/** Whether the server is Proxmox VE. A refused login is a response as well. */
export const api: Check = {
  id: "api",
  needs: ["credentials", "certificate"],
  async look(context) {
    const began = performance.now();
    const refused = await refusal(context);
    if (refused === undefined || refused.kind === "auth") {
      return ok(`answers in ${Math.ceil(performance.now() - began)} ms`);
    }
    return failed(
      refused.message,
      refused.kind === "malformed"
        ? "This is not the Proxmox VE API. Use the address of a node itself, without the path of a reverse proxy."
        : "On the host: `systemctl status pveproxy pvedaemon`, and `journalctl -u pveproxy` for the reason.",
    );
  },
};

/** Whether the server accepts the credentials. */
export const login: Check = {
  id: "login",
  needs: ["api"],
  async look(context) {
    const refused = await refusal(context);
    const { identity } = context.client();
    if (refused === undefined) return ok(`accepted as ${identity}`);
    const [user = "", token] = identity.split("!");
    return failed(
      `${identity} is refused: ${refused.message}`,
      ...(token === undefined ? passwordCure(user) : tokenCure(user, token)),
    );
  },
};

/** `GET /version` requires a login and no privilege. */
async function refusal(context: CheckContext): Promise<PveError | undefined> {
  try {
    await context.version();
    return undefined;
  } catch (reason) {
    if (!isPveError(reason)) throw reason;
    return reason;
  }
}

const tokenCure = (user: string, token: string): string[] => [
  "Proxmox VE does not name the cause: a wrong secret, an unknown token, or a disabled or expired user or token.",
  `  pveum user list && pveum user token list ${user}`,
  "A secret is shown once, when the token is created. To create it again:",
  `  pveum user token remove ${user} ${token}; pveum user token add ${user} ${token} --privsep 0`,
  "and set all of it: PROXMOX_VE_API_TOKEN='user@realm!name=secret'.",
];

const passwordCure = (user: string): string[] => [
  `Check PROXMOX_VE_USERNAME, its realm (\`@pam\`, \`@pve\`) and PROXMOX_VE_PASSWORD; \`pveum user list\` shows whether ${user} is enabled.`,
  "A user with a second factor requires PROXMOX_VE_TOTP_SECRET; an API token requires neither.",
];
