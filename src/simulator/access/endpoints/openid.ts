import { realm } from "../../core/access/formats.ts";
import { isConnectionRefused } from "../../core/kernel/connect.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, raise } from "../../core/kernel/failure.ts";
import { indexEndpoint } from "../../core/kernel/index-endpoint.ts";
import { string } from "../../core/schema/schema.ts";

const redirectUrl = string({ maxLength: 255 });

/** pve-access-control `src/PVE/API2/OpenId.pm`. Every issuer outside this machine is simulated; no login succeeds. */
export const openIdEndpoints = [
  indexEndpoint("/access/openid", "subdir", ["auth-url", "login"]),
  endpoint({
    method: "POST",
    path: "/access/openid/auth-url",
    protected: true,
    permissions: { user: "world" },
    parameters: { realm, "redirect-url": redirectUrl },
    handler: async ({ world, params, sim }) => {
      const section =
        world.access.realms[params.realm] ?? die(`authentication domain '${params.realm}' does not exist`);
      if (section.type !== "openid") {
        die(`wrong realm type (${section.type} != openid)`);
      }
      const issuer = new URL(String(section.options["issuer-url"]));
      const port = Number(issuer.port || (issuer.protocol === "http:" ? 80 : 443));
      if (await isConnectionRefused(issuer.hostname, port)) {
        const refused = "io: Connection refused (os error 111)";
        die(`Request failed: ureq request failed - ${refused}: ${refused}`);
      }
      const query = new URLSearchParams({
        response_type: "code",
        client_id: String(section.options["client-id"]),
        state: sim.random.uuid(),
        redirect_uri: params["redirect-url"],
      });
      return `${issuer.href.replace(/\/$/, "")}/authorize?${query}`;
    },
  }),
  endpoint({
    method: "POST",
    path: "/access/openid/login",
    protected: true,
    permissions: { user: "world" },
    parameters: { code: string({ maxLength: 4096 }), state: string({ maxLength: 1024 }), "redirect-url": redirectUrl },
    handler: () => raise(401, "authentication failure"),
  }),
];
