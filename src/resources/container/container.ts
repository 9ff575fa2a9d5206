import { defineResource, type Observed } from "#kit";
import type { NewGuest } from "../guest/context.ts";
import { hooksOf } from "../guest/hook.ts";
import { guestBefore } from "../guest/lifecycle/before.ts";
import { createGuest } from "../guest/lifecycle/create.ts";
import { destroyGuest } from "../guest/lifecycle/destroy.ts";
import { importGuest } from "../guest/lifecycle/import.ts";
import { readGuest } from "../guest/lifecycle/read.ts";
import { settleGuest } from "../guest/lifecycle/settle.ts";
import { updateGuest } from "../guest/lifecycle/update.ts";
import { planDestroy } from "../guest/plan/plan-destroy.ts";
import { planGuest } from "../guest/plan/plan-guest.ts";
import { type GuestPrivateState, initialPrivateState } from "../guest/private-state.ts";
import { attributes, type ContainerAttributes } from "./attributes.ts";
import type { ContainerRead } from "./contexts.ts";
import { containerKind } from "./kind.ts";
import { madeUp } from "./made-up.ts";
import { bpgMoves } from "./moves/bpg.ts";
import { telmateMoves } from "./moves/telmate.ts";
import { validateContainer } from "./validate/validate.ts";

const hook = hooksOf(containerKind);

/** `proxmox_container`. Server side: pve-container `src/PVE/API2/LXC.pm`. */
export const container = defineResource<ContainerAttributes, "vmid", GuestPrivateState, NewGuest>({
  type: "proxmox_container",
  subcategory: "Containers",
  doc: 'An LXC container: made from a template file, an OCI image, or another container. What you do not write is inherited and left alone. A line that you take out is undone: the value goes back to what was there before the line took effect, and the plan shows it. Where nothing is remembered (an imported or moved state) the value stays and the plan says how to unset it: `""`, `[]`, or `0` where the attribute says so. To give up a line without a change, name it in `lifecycle.ignore_changes`.',
  attributes,
  identity: ["vmid"],
  waitsForRemoval: true,
  privateState: initialPrivateState,
  moves: [...bpgMoves, ...telmateMoves],
  label: ({ name, vmid }) => (name ? `container "${name}"` : vmid ? `container ${vmid}` : "container"),

  validate: validateContainer,
  plan: hook(planGuest),
  planDelete: hook(planDestroy),
  create: hook(createGuest),
  before: hook(guestBefore),
  settle: hook(settleGuest),
  prefetch: ({ inventory }) => void inventory.snapshot().catch(() => {}), // A read reports the error.
  read: hook((context: ContainerRead) => readGuest<Observed<ContainerAttributes>>(context)),
  update: hook(updateGuest),
  delete: hook(destroyGuest),
  import: hook(importGuest),
  omitFromConfig: madeUp,
});
