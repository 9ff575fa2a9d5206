import type { Rule } from "../../../../src/resources/firewall/list/rule.ts";

export const rule = (more: Partial<Rule>): Rule => ({ type: "in", action: "ACCEPT", isEnabled: true, ...more });
export const port = (dport: number, action = "ACCEPT") => rule({ action, proto: "tcp", dport: String(dport) });

interface Packet {
  readonly type: string;
  readonly proto: string;
  readonly port: number;
  readonly source: number;
}

const packets: Packet[] = ["in", "out"].flatMap((type) =>
  ["tcp", "udp"].flatMap((proto) =>
    [1, 2, 3, 4].flatMap((at) => [0, 1, 2, 3].map((source) => ({ type, proto, port: at, source }))),
  ),
);

/** Groups are lists of their own, whose rules the planner does not know. */
const groups: Record<string, Rule[]> = {
  web: [port(1), rule({ action: "DROP", source: "10.0.0.2" })],
  shut: [rule({ action: "DROP", proto: "tcp", dport: "1:2" }), port(3)],
};

export const sources: Record<string, number[]> = {
  "10.0.0.0/30": [0, 1, 2, 3],
  "10.0.0.0/31": [0, 1],
  "10.0.0.2": [2],
  "10.0.0.1,10.0.0.3": [1, 3],
  "10.0.0.1-10.0.0.2": [1, 2],
  "dc/some": [0, 2],
};

function matchesPacket({ type, proto, dport, source }: Rule, packet: Packet): boolean {
  const isPort = (range: string) => {
    const [from = 0, to = from] = range.split(":").map(Number);
    return packet.port >= from && packet.port <= to;
  };
  return (
    type === packet.type &&
    (proto === undefined || proto === packet.proto) &&
    (dport === undefined || dport.split(",").some(isPort)) &&
    (source === undefined || (sources[source] ?? []).includes(packet.source))
  );
}

/** True: allowed; null: no rule decides. */
function decide(list: readonly Rule[], packet: Packet): boolean | null {
  for (const one of list) {
    if (!one.isEnabled) continue;
    if (one.type === "group") {
      const inside = decide(groups[one.action] ?? [], packet);
      if (inside !== null) return inside;
    } else if (matchesPacket(one, packet)) return one.action === "ACCEPT";
  }
  return null;
}

/** Packets that are treated neither as by the old list nor as by the new one. */
export function gaps(old: readonly Rule[], desired: readonly Rule[], now: readonly Rule[]): Packet[] {
  return packets.filter((packet) =>
    [true, false].some((policy) => {
      const verdict = (list: readonly Rule[]) => decide(list, packet) ?? policy;
      return verdict(now) !== verdict(old) && verdict(now) !== verdict(desired);
    }),
  );
}
