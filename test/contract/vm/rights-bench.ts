import { Core, type ManagedResource } from "../../harness/index.ts";
import { Bench } from "./suite.ts";

/** Privileges by path, separated by blanks. */
export type Rights = Readonly<Record<string, string>>;

export const poorUser = "poor@pve";
const poorToken = `${poorUser}!tf`;

interface CallerOptions {
  readonly permission_check?: string;
  /** The resource that the caller uses. */
  readonly type?: string;
}

/** The bench with a caller who may do exactly what a test says: entries on these very paths, and nowhere else. */
export class RightsBench extends Bench {
  /** Terraform as that caller; a session of its own, since rights are asked for once per session. */
  async poor(rights: Rights, more: CallerOptions = {}): Promise<ManagedResource> {
    const { access } = this.simulator.sim.world;
    access.users[poorUser] ??= structuredClone(access.users["noacl@pve"]) as (typeof access.users)[string];
    access.acl = access.acl.filter(({ ugid }) => ugid !== poorUser && ugid !== poorToken);
    for (const [path, privileges] of Object.entries(rights)) {
      const roleid = `exactly${path.replaceAll("/", "-")}`;
      access.roles[roleid] = privileges.split(" ") as (typeof access.roles)[string];
      access.acl.push({ path, type: "user", ugid: poorUser, roleid, propagate: true });
    }
    const secret = access.users[poorUser]?.tokens["tf"]?.secret ?? "";
    return this.as(`${poorToken}=${secret}`, more);
  }

  /** Terraform as the owner of that token. */
  async as(api_token: string, { type = "proxmox_vm", ...more }: CallerOptions = {}): Promise<ManagedResource> {
    const { url, caCertificate } = this.simulator;
    const core = await Core.connect(this.provider.wire, this.provider.process);
    await core.configure({ endpoint: url, ca_certificate: caCertificate, api_token, ...more });
    return core.resource(type);
  }
}

/** Each pair of a path and a privilege, and the rights without it. */
export function withoutEach(rights: Rights): { path: string; privilege: string; left: Rights }[] {
  return Object.entries(rights).flatMap(([path, privileges]) =>
    privileges.split(" ").map((privilege) => {
      const others = privileges.split(" ").filter((other) => other !== privilege);
      const { [path]: _, ...elsewhere } = rights;
      return { path, privilege, left: others.length === 0 ? elsewhere : { ...elsewhere, [path]: others.join(" ") } };
    }),
  );
}
