import type { Api } from "../api.ts";

/** Writes that PVE refuses without the token while the lock is held (pve-network: src/PVE/Network/SDN.pm, `lock_sdn_config`). */
const locked =
  /^\/cluster\/sdn\/(?:zones|controllers|ipams|dns|prefix-lists|route-maps|fabrics\/(?:fabric|node)|vnets(?!\/\{vnet\}\/(?:ips|firewall)))(?:\/|$)/;

/** The token of the lock of the SDN, while this client holds it. */
export class SdnLock {
  token: string | undefined;

  /** The same calls, whose writes carry the token of the moment in which they are sent. The calls on the lock itself name theirs. */
  carriedBy(api: Api): Api {
    const carry =
      (send: Api["post"] | Api["put"] | Api["delete"]): Api["post"] =>
      (path, given, answer, options) =>
        send(
          path,
          this.token !== undefined && locked.test(path) ? { ...given, "lock-token": this.token } : given,
          answer,
          options,
        );
    return { ...api, post: carry(api.post), put: carry(api.put), delete: carry(api.delete) };
  }
}
