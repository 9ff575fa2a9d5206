import type { Attributes, ValidateContext } from "#kit";

interface Interface {
  readonly name?: string;
  readonly bridge?: { readonly vlan_aware?: boolean | null; readonly vids?: readonly string[] | null } | null;
  readonly bond?: Bond | null;
  readonly vlan?: { readonly raw_device?: string | null; readonly id?: number | null } | null;
}

interface Bond {
  readonly mode?: string;
  readonly slaves?: readonly string[];
  readonly hash_policy?: string | null;
  readonly primary?: string | null;
}

/** What does not fit together in one interface. */
export function validateInterface<A extends Attributes>({ config, report }: ValidateContext<A>): void {
  const { name, bridge, bond, vlan } = config as unknown as Interface;
  if (bridge?.vids && (bridge.vlan_aware === null || bridge.vlan_aware === false)) {
    const detail = "Only a VLAN-aware bridge carries VLANs of its own: set `vlan_aware = true`, or leave `vids` out.";
    report.error(["bridge", "vids"], "VLANs of a bridge that is not VLAN aware", detail);
  }
  if (bridge?.vids?.length === 1 && bridge.vids[0] === "2-4094") {
    report.error(
      ["bridge", "vids"],
      "All VLANs",
      "`2-4094` is what a VLAN-aware bridge carries anyway: leave `vids` out.",
    );
  }
  if (bond) validateBond(report, name, bond);
  if (vlan && name !== undefined) validateVlan(report, name, vlan);
}

type Reporter = ValidateContext<Attributes>["report"];

function validateBond(report: Reporter, name: string | undefined, { mode, slaves, hash_policy, primary }: Bond): void {
  if (name !== undefined && !/^bond\d+$/.test(name)) {
    report.error(
      "name",
      "Not a name for a bond",
      `Proxmox VE knows a bond by its name, \`bond\` and a number; it is \`${name}\`.`,
    );
  }
  if (hash_policy && mode !== undefined && mode !== "802.3ad" && mode !== "balance-xor") {
    report.error(
      ["bond", "hash_policy"],
      "Option of another mode",
      "`hash_policy` belongs to the modes `802.3ad` and `balance-xor`.",
    );
  }
  if (primary && mode !== undefined && mode !== "active-backup") {
    report.error(["bond", "primary"], "Option of another mode", "`primary` belongs to the mode `active-backup`.");
  }
  if (primary && slaves && !slaves.includes(primary)) {
    report.error(["bond", "primary"], "Not an interface of the bond", `\`${primary}\` is not one of \`slaves\`.`);
  }
}

function validateVlan(report: Reporter, name: string, vlan: NonNullable<Interface["vlan"]>): void {
  const [, parent, tag] = /^(\S+)\.(\d+)$/.exec(name) ?? [];
  const named = tag ?? /^vlan(\d+)$/.exec(name)?.[1];
  if (parent === undefined && vlan.raw_device === null) {
    report.error(
      ["vlan", "raw_device"],
      "Interface of the VLAN needed",
      `The name \`${name}\` does not say which interface carries the VLAN: give \`raw_device\`.`,
    );
  }
  if (named === undefined && vlan.id === null) {
    report.error(["vlan", "id"], "VLAN needed", `The name \`${name}\` does not say which VLAN it is: give \`id\`.`);
  }
  if (parent !== undefined && vlan.raw_device && vlan.raw_device !== parent) {
    report.error(
      ["vlan", "raw_device"],
      "Name says otherwise",
      `\`${name}\` is a VLAN of \`${parent}\`, not of \`${vlan.raw_device}\`.`,
    );
  }
  if (named !== undefined && typeof vlan.id === "number" && vlan.id !== Number(named)) {
    report.error(["vlan", "id"], "Name says otherwise", `\`${name}\` is VLAN ${named}, not ${vlan.id}.`);
  }
}
