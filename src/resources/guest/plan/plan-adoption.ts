import { patchWired, type Session } from "#kit";
import type { GuestAddress } from "#pve";
import { type Obstacle, obstaclesTo } from "../adoption.ts";
import { type GuestPlan, queryOf, type ReadableGuest } from "../context.ts";
import { haOptions } from "../ha-options.ts";
import { importBlock } from "../lifecycle/existing.ts";
import { sidOf } from "../lifecycle/ha.ts";
import { isIn } from "../lifecycle/power.ts";
import { findSource } from "../lifecycle/source.ts";
import { planInherited, predict } from "./plan-copy.ts";
import { checkChangePrivileges } from "./privileges.ts";

/**
 * The plan of a create that takes over an existing guest, as an import would: it shows the guest as it is, with what is
 * written. A guest that differs in more than settings is refused, since an import plans such a change as what it is.
 */
export async function planAdoption(context: GuestPlan, api: Session, found: GuestAddress): Promise<void> {
  const { kind, config, report, privateState, signal } = context;
  const { node, vmid } = found;
  const guest = { node, vmid, config: await kind.calls(api).getConfig({ node, vmid }, {}, { signal }) };
  const [before, after] = [kind.draft(api, guest.config.options), kind.draft(api, guest.config.options)];
  context.set("vmid", vmid);
  context.set("id", String(vmid));
  if (config.node === null) context.set("node", node);
  patchWired(kind.settings, kind.plan.wanted(context), after);
  const dataNeeds = await kind.plan.predictData(context, api, after);
  const obstacles = [
    ...obstaclesTo(kind, config, { before, after }),
    ...(await otherPlace(context, api, guest)),
    ...(await otherSource(context, api, guest)),
  ];
  if (obstacles.length > 0) return refuse(context, guest, obstacles);
  await checkChangePrivileges(context, api, { before, after, from: "itself", needs: dataNeeds });
  predict(context, before, after);
  planInherited(context, before, after);
  privateState.adopting = { vmid, digest: guest.config.digest };
  report.warning(
    "on_existing",
    `Existing ${kind.noun}`,
    `${kind.title} ${vmid} on ${node} is named "${config.name}" and is taken over with its data: none is created. What is not written is left alone, and what is read only at creation has no effect. It belongs to this resource from then on, and is destroyed with it.`,
  );
}

function refuse({ kind, config, report }: GuestPlan, { vmid, node }: ReadableGuest, obstacles: Obstacle[]): void {
  const reasons = obstacles.map(({ why }) => `- ${why}`).join("\n");
  report.error(
    obstacles[0]?.path.length ? obstacles[0].path : "on_existing",
    `${kind.title} ${vmid} cannot be adopted`,
    [
      `${kind.title} ${vmid} on ${node} is named "${config.name}". \`on_existing = "adopt"\` takes it over only if nothing but settings has to change:\n${reasons}`,
      "If it is the one you mean, import it; the plan then shows each change:",
      importBlock(kind, vmid),
      "Otherwise choose another name.",
    ].join("\n\n"),
  );
}

/** Node, pool, power, HA and template are changed by calls of their own. */
async function otherPlace(context: GuestPlan, api: Session, guest: ReadableGuest): Promise<Obstacle[]> {
  const { kind, config, signal } = context;
  const { node, pool, power, template } = config;
  const { ha } = context.planned;
  const found: Obstacle[] = [];
  if (node && node !== guest.node) found.push({ path: ["node"], why: `it is on ${guest.node}, not on ${node}` });
  const present = (await api.inventory.locate(guest.vmid))?.pool ?? "";
  if (typeof pool === "string" && pool !== present)
    found.push({ path: ["pool"], why: present === "" ? "it is in no pool" : `it is in pool ${present}` });
  if (power === "running" || power === "stopped") {
    const isRunning = await isIn(queryOf(context, api), guest, "running");
    if (isRunning !== (power === "running"))
      found.push({ path: ["power"], why: isRunning ? "it is running" : "it is stopped" });
  }
  if (template) found.push({ path: ["template"], why: "it is no template" });
  if (config.ha && ha) {
    const now = haOptions(await api.ha.find(sidOf(kind, guest.vmid), { signal }));
    const isOther = Object.entries(ha).some(
      ([name, value]) => value !== null && value !== undefined && value !== now?.[name as keyof typeof now],
    );
    if (now === null || isOther)
      found.push({ path: ["ha"], why: now ? "HA manages it with other options" : "HA does not manage it" });
  }
  return found;
}

/** A linked clone names the template that it was made from; nothing else on the cluster says what a guest was made from. */
async function otherSource(context: GuestPlan, api: Session, { config: now }: ReadableGuest): Promise<Obstacle[]> {
  const { kind, config } = context;
  const draft = kind.draft(api, now.options);
  const volumes = draft.slots(kind.families.volumes).map((slot) => kind.volumeAt(draft, slot));
  const base = volumes.flatMap((volume) => /[:/]base(?:vol)?-(\d+)-[^/]*\//.exec(volume)?.[1] ?? [])[0];
  const [path] = kind.sources.filter(([attribute]) => (config as Readonly<Record<string, unknown>>)[attribute]);
  if (base === undefined || path === undefined) return [];
  const reference = config.clone?.template;
  const source = reference ? await findSource(queryOf(context, api), reference) : null;
  if (reference === undefined || (reference && (source === null || source.vmid === Number(base)))) return [];
  return [{ path, why: `it is a linked clone of ${kind.noun} ${base}` }];
}
