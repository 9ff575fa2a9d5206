import type { LegacyState } from "#kit";
import { type Attributes, bpg, type MoveDefinition, movesFrom } from "#kit";

/** Only the refresh after a move can tell the rest: bpg stores PVE's defaults as if they were written. */
type Moves<A extends Attributes> = MoveDefinition<A, never>[];

const guestOf = (old: LegacyState): number | undefined => old.count("vm_id") ?? old.count("container_id");

const named = (old: LegacyState): string | undefined => {
  const [guest, name] = [guestOf(old), old.text("name")];
  return name === undefined || guest === undefined ? name : `guest/${guest}/${name}`;
};

/** Rules and options belong to a guest, to a node, or to the cluster. */
const owner = (old: LegacyState): string => {
  const [guest, node] = [guestOf(old), old.text("node_name")];
  if (guest !== undefined) return `guest/${guest}`;
  return node === undefined ? "cluster" : `node/${node}`;
};

const namedMembers = { id: named, name: "name", vmid: guestOf };

export const aliasMoves = <A extends Attributes>(attributes: A): Moves<A> =>
  movesFrom({ attributes, identity: ["id"], noun: "firewall alias" }, [bpg("firewall_alias", namedMembers)]);

export const ipsetMoves = <A extends Attributes>(attributes: A): Moves<A> =>
  movesFrom({ attributes, identity: ["id"], noun: "IP set" }, [bpg("firewall_ipset", namedMembers)]);

export const groupMoves = <A extends Attributes>(attributes: A): Moves<A> =>
  movesFrom({ attributes, identity: ["id"], noun: "security group" }, [
    bpg("cluster_firewall_security_group", { id: "name", name: "name" }),
  ]);

export const rulesMoves = <A extends Attributes>(attributes: A): Moves<A> =>
  movesFrom({ attributes, identity: ["id"], noun: "list of rules" }, [bpg("firewall_rules", { id: owner })]);

export const optionsMoves = <A extends Attributes>(attributes: A): Moves<A> =>
  movesFrom({ attributes, identity: ["id"], noun: "set of options" }, [
    bpg("cluster_firewall", { id: () => "cluster" }),
    bpg("node_firewall", { id: owner }),
    bpg("firewall_options", { id: owner }),
  ]);
