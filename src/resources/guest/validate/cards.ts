import { BlockList } from "node:net";
import type { Report } from "#kit";
import { ipv4, ipv6 } from "./addresses.ts";

type Family = { readonly address?: string | null | undefined; readonly gateway?: string | null | undefined };
type Card = {
  readonly mac?: string | null | undefined;
  readonly ipv4?: Family | null | undefined;
  readonly ipv6?: Family | null | undefined;
};

interface Validate {
  readonly config: { readonly networks?: Readonly<Record<string, Card | undefined>> | null | undefined };
  readonly report: Pick<Report, "error">;
}

/**
 * Addresses that one card alone has, and gateways beside an address. One outside of the network is out of reach for a VM, where
 * cloud-init sets no route to it; in a container, PVE sets that route (pve-container: src/PVE/LXC/Setup).
 */
export function checkCards({ config, report }: Validate, { isRouted }: { readonly isRouted: boolean }): void {
  checkMacs({ config, report });
  for (const [slot, card] of Object.entries(config.networks ?? {})) {
    for (const version of ["ipv4", "ipv6"] as const) {
      const { address, gateway } = card?.[version] ?? {};
      const path = ["networks", slot, version, "gateway"];
      if (!gateway || address === undefined) continue;
      if (!address?.includes("/")) {
        report.error(path, "Gateway without address", "A gateway needs a static `address` beside it.");
      } else if (!isRouted && !isInside(gateway, address)) {
        report.error(path, "Gateway out of reach", `\`${gateway}\` is not in the network of \`${address}\`.`);
      }
    }
  }
}

/** Proxmox VE stores the address in two cards without an error, and a bridge delivers to one of them only. */
function checkMacs({ config, report }: Validate): void {
  const slots = new Map<string, string>();
  for (const [slot, card] of Object.entries(config.networks ?? {})) {
    const mac = card?.mac?.toUpperCase();
    const other = mac && slots.get(mac);
    if (other) {
      const detail = `\`${other}\` has \`${mac}\`, too. Give each card its own, or leave \`mac\` out to have one generated.`;
      report.error(["networks", slot, "mac"], "MAC address used twice", detail);
    } else if (mac) slots.set(mac, slot);
  }
}

/** Link-local gateways reach every network. Invalid addresses are reported elsewhere. */
function isInside(gateway: string, cidr: string): boolean {
  const [address = "", prefix] = cidr.split("/");
  const family = ipv4.isAddress(address) ? "ipv4" : "ipv6";
  const isReadable = family === "ipv4" ? ipv4.isAddress(gateway) : ipv6.isAddress(address) && ipv6.isAddress(gateway);
  const bits = family === "ipv4" ? 32 : 128;
  if (!isReadable || !(Number(prefix) <= bits) || /^fe80:/i.test(gateway)) return true;
  const network = new BlockList();
  network.addSubnet(address, Number(prefix), family);
  // A host address has no network; its gateway lies outside of it by design.
  return Number(prefix) >= bits - 1 || network.check(gateway, family);
}
