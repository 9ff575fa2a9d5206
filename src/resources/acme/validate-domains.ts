import type { ValidateContext } from "#kit";
import type { attributes } from "./certificate-attributes.ts";
import { isPlain, mostWithPlugin } from "./domains.ts";

const label = "[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?";
const domainName = new RegExp(`^(\\*\\.)?(${label}\\.)*${label}$`);

/** What PVE, or the authority, refuses only when the certificate is ordered. */
export function validateDomains({ config, report }: ValidateContext<typeof attributes>): void {
  const entries = Object.entries(config.domains ?? {});
  for (const [name, domain] of entries) {
    if (!domainName.test(name)) {
      const cure = domainName.test(name.toLowerCase()) ? ` Write it in small letters: \`${name.toLowerCase()}\`.` : "";
      report.error(["domains", name], "Not a domain", `\`${name}\` is not the name of a domain.${cure}`);
    }
    const isByHttp = domain !== undefined && (domain.plugin === null || domain.plugin === "standalone");
    if (isByHttp && name.startsWith("*.")) {
      const detail = `Authorities give certificates for all names of a domain only by a DNS challenge. Give \`${name}\` a \`plugin\`.`;
      report.error(["domains", name], "Wildcard without DNS plugin", detail);
    }
  }
  const special = entries.filter(
    ([, domain]) => domain && !isPlain({ plugin: domain.plugin ?? null, alias: domain.alias ?? null }),
  );
  if (special.length <= mostWithPlugin) return;
  const detail = `Proxmox VE has ${mostWithPlugin} places for domains with a plugin or an alias, and ${special.length} are given.`;
  report.error("domains", "Too many domains with a plugin", detail);
}
