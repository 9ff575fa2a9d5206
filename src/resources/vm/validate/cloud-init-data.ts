import { textsOf } from "../cloud-init-iso/texts.ts";
import type { VmValidate } from "../contexts.ts";

/** What PVE writes on a drive of its own, which a VM with text does not have. */
const generated = [
  "user",
  "password",
  "ssh_keys",
  "dns_servers",
  "search_domain",
  "upgrade",
  "type",
  "snippets",
  "storage",
] as const;
const alongside = ["network_data", "meta_data", "vendor_data"] as const;
const besides = [...alongside, "network_data_wo", "meta_data_wo", "vendor_data_wo", "data_storage"] as const;

/** Text takes the place of what PVE generates: whatever is written beside it would never reach the guest. */
export function checkCloudInitData({ config, report }: VmValidate): void {
  const { cloud_init: cloudInit } = config;
  if (!cloudInit) return;
  refuseBothForms(cloudInit, report);
  const text = textsOf(cloudInit, cloudInit).user_data;
  if (text === undefined) return;
  if (text === null) {
    for (const name of besides.filter((text) => isGiven(cloudInit[text]))) {
      report.error(
        ["cloud_init", name],
        "User data needed",
        "It goes with `user_data` or `user_data_wo`; `#cloud-config` alone says nothing and is enough.",
      );
    }
    return;
  }
  for (const name of generated.filter((setting) => isGiven(cloudInit[setting]))) {
    report.error(
      ["cloud_init", name],
      "Beside user data",
      `\`user_data\` takes the place of what Proxmox VE generates, so \`${name}\` would never reach the guest. Say it in the text, or leave the text out.`,
    );
  }
  for (const [slot, card] of Object.entries(config.networks ?? {})) {
    for (const version of ["ipv4", "ipv6"] as const) {
      if (!isGiven(card?.[version])) continue;
      report.error(
        ["networks", slot, version],
        "Beside user data",
        "With `user_data`, addresses reach the guest only by `cloud_init.network_data`.",
      );
    }
  }
}

function refuseBothForms(cloudInit: CloudInit, report: VmValidate["report"]): void {
  for (const name of ["user_data", ...alongside] as const) {
    if (!isGiven(cloudInit[name]) || !isGiven(cloudInit[`${name}_wo`])) continue;
    report.error(
      ["cloud_init", `${name}_wo`],
      "Text given twice",
      `\`${name}\` and \`${name}_wo\` are two forms of one text, and the first is stored in the state. Leave one of them out.`,
    );
  }
}

type CloudInit = NonNullable<VmValidate["config"]["cloud_init"]>;

const isGiven = (value: unknown): boolean => value !== null && value !== undefined;
