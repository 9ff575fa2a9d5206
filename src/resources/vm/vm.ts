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
import { attributes, type VmAttributes } from "./attributes.ts";
import type { VmRead } from "./contexts.ts";
import { vmKind } from "./kind.ts";
import { madeUp } from "./made-up.ts";
import { bpgMoves } from "./moves/bpg.ts";
import { telmateMoves } from "./moves/telmate.ts";
import { initialVmPrivateState, type VmPrivateState } from "./private-state.ts";
import { validateVm } from "./validate/validate.ts";

const hook = hooksOf(vmKind);

/**
 * `proxmox_vm`. What is not written is inherited, devices are maps keyed by slot, the plan knows the template, and a VM
 * is ours only if its fingerprint says so.
 * Server side: qemu-server `src/PVE/API2/Qemu.pm`.
 */
export const vm = defineResource<VmAttributes, "vmid", VmPrivateState, NewGuest>({
  type: vmKind.resource,
  subcategory: vmKind.subcategory,
  doc: 'A virtual machine: cloned from a template, restored from a backup, imported, made from an image, or from nothing. What you do not write is inherited from the template and left alone. A line that you take out is undone: the value goes back to what was there before the line took effect, and the plan shows it. Where nothing is remembered (an imported or moved state, a secret) the value stays and the plan says how to unset it: `""`, `[]`, or `0` where the attribute says so. To give up a line without a change, name it in `lifecycle.ignore_changes`.',
  attributes,
  identity: ["vmid"],
  waitsForRemoval: true,
  privateState: initialVmPrivateState,
  moves: [...bpgMoves, ...telmateMoves],
  label: ({ name, vmid }) => (name ? `VM "${name}"` : vmid ? `VM ${vmid}` : "VM"),

  validate: validateVm,
  plan: hook(planGuest),
  planDelete: hook(planDestroy),
  create: hook(createGuest),
  before: hook(guestBefore),
  settle: hook(settleGuest),
  prefetch: ({ inventory }) => void inventory.snapshot().catch(() => {}), // Who reads asks again, and hears why.
  read: hook((context: VmRead) => readGuest<Observed<VmAttributes>>(context)),
  update: hook(updateGuest),
  delete: hook(destroyGuest),
  import: hook(importGuest),
  omitFromConfig: madeUp,
});
