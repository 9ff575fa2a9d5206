import { describeFamilies, isSlot, type Members, type WiredAttribute } from "#kit";
import { checkAbsent } from "../../guest/absent-devices.ts";
import { slotMaps } from "../../guest/observe.ts";
import { checkArchive } from "../../guest/validate/archive.ts";
import { checkCards } from "../../guest/validate/cards.ts";
import { checkHa, checkLife } from "../../guest/validate/life.ts";
import { settings } from "../attributes.ts";
import type { ContainerValidate } from "../contexts.ts";
import { checkMounts } from "./mounts.ts";

/** What can be checked without a cluster. Values that are not known yet (`undefined`) are not judged. */
export function validateContainer(context: ContainerValidate): void {
  for (const [name, attribute] of slotMaps(settings)) checkSlotNames(context, name, attribute);
  checkSource(context);
  checkArchive(context, "lxc");
  checkMounts(context);
  checkDevices(context);
  checkInterfaces(context);
  checkAbsent(context, settings);
  checkCards(context, { isRouted: true });
  checkHa(context);
  checkLife(context, "container");
}

function checkSlotNames({ config, report }: ContainerValidate, name: string, { slots }: WiredAttribute): void {
  const families = slots?.families ?? {};
  for (const slot of Object.keys((config as Members)[name] ?? {})) {
    if (isSlot(slot, families)) continue;
    report.error(
      [name, slot],
      "No such slot",
      `\`${slot}\` is not a slot here: it must be ${describeFamilies(families)}.`,
    );
  }
}

function checkSource({ config, report }: ContainerValidate): void {
  const given = (["image", "clone", "restore"] as const).filter((name) => config[name]);
  if (given.length > 1) {
    const names = given.map((name) => `\`${name}\``).join(" and ");
    report.error(
      given[1] ?? null,
      "Two sources",
      `A container is made from one source, and there are ${names}. Remove one.`,
    );
  }
  if (config.clone?.full === false && config.clone.storage) {
    report.error("clone.full", "Linked clones stay where they are", "`storage` needs a full clone.");
  }
  for (const name of ["password", "ssh_keys"] as const) {
    const isGiven = config[name] !== null && config[name] !== undefined;
    if (!isGiven || !(config.clone || config.restore)) continue;
    report.error(
      name,
      "Only for a new image",
      `A ${config.clone ? "clone" : "restored container"} keeps the users of its source: remove \`${name}\`, or use \`image\`.`,
    );
  }
}

function checkDevices({ config, report }: ContainerValidate): void {
  for (const [slot, device] of Object.entries(config.devices ?? {})) {
    if (device?.path === null) {
      report.error(
        ["devices", slot, "path"],
        "Path needed",
        `Say which device of the host \`${slot}\` is, such as \`/dev/fuse\`.`,
      );
    }
  }
}

/** Two cards of one name, and addresses that nothing assigns. */
function checkInterfaces({ config, report }: ContainerValidate): void {
  const names = new Map<string, string>();
  for (const [slot, card] of Object.entries(config.networks ?? {})) {
    const name = card?.name;
    const other = name ? names.get(name) : undefined;
    if (name && other !== undefined) {
      report.error(
        ["networks", slot, "name"],
        "Name used twice",
        `\`${other}\` is named \`${name}\`, too. Give each card its own name.`,
      );
    }
    if (name) names.set(name, slot);
    if (typeof card?.mtu === "number" && card.mtu !== 0 && card.mtu < 64) {
      report.error(
        ["networks", slot, "mtu"],
        "MTU too small",
        `\`${card.mtu}\` is below 64, the least that Proxmox VE accepts. \`0\` leaves it out.`,
      );
    }
    if (card?.host_managed && card.ipv6?.address === "auto" && card.link_down === null) {
      report.error(
        ["networks", slot, "ipv6", "address"],
        "Not with a managed card",
        "A card with `host_managed` cannot take its address by SLAAC (`auto`). Give a static address, `dhcp` or `manual`.",
      );
    }
  }
}
