import { Failure } from "#kit";

/** Parts of a configuration that PVE generates for every new guest, by name; null where a guest has none. */
export type Fingerprint = { readonly [part: string]: string | null };

/** Names of volumes: PVE gives the same again when a VMID is used again on the same storage. */
const repeatable: ReadonlySet<string> = new Set(["rootfs"]);

/**
 * Whether two fingerprints belong to the same guest. One equal part is enough, since a rollback or an administrator may
 * have changed another; a part that PVE gives again proves nothing. Guests without a part to compare cannot be
 * distinguished and count as the same.
 */
export function compareGuests(known: Fingerprint, seen: Fingerprint): "same" | "another" | "unproven" {
  const comparable = Object.keys(known).filter((part) => known[part] !== null && (seen[part] ?? null) !== null);
  const equal = comparable.filter((part) => known[part] === seen[part]);
  if (comparable.length === 0 || equal.some((part) => !repeatable.has(part))) return "same";
  return equal.length > 0 ? "unproven" : "another";
}

interface Compared {
  readonly kind: { readonly title: string; readonly noun: string };
  readonly vmid: number;
  readonly known: Fingerprint | null;
  readonly seen: Fingerprint;
}

/** Whether another guest has the VMID by now. Throws where it cannot be known: neither is then changed nor destroyed. */
export function isAnotherGuest({ kind, vmid, known, seen }: Compared): boolean {
  if (known === null) return false;
  const verdict = compareGuests(known, seen);
  if (verdict !== "unproven") return verdict === "another";
  const [before, now] = [known["hostname"] ?? "", seen["hostname"] ?? ""];
  throw new Failure(
    `${kind.title} ${vmid} may be another one`,
    `It was named "${before}" and is named "${now}" now. A ${kind.noun} without a network card has nothing else that distinguishes it from another one with the same VMID on the same storage, so it is neither changed nor destroyed. If it is the same, name it "${before}" again (\`pct set ${vmid} --hostname ${before}\` on its node), and change \`name\` here. If it is another one, remove the resource from the state: \`terraform state rm ADDRESS\`.`,
  );
}
