import { defineResource } from "#kit";
import { attributes } from "./attributes.ts";
import { vmBefore } from "./lifecycle/before.ts";
import { createVm } from "./lifecycle/create.ts";
import { destroyVm } from "./lifecycle/destroy.ts";
import { importVm } from "./lifecycle/import.ts";
import { readVm } from "./lifecycle/read.ts";
import { counted } from "./lifecycle/run.ts";
import { settleVm } from "./lifecycle/settle.ts";
import { updateVm } from "./lifecycle/update.ts";
import { madeUp } from "./made-up.ts";
import { bpgMoves } from "./moves/bpg.ts";
import { telmateMoves } from "./moves/telmate.ts";
import { planVm } from "./plan/plan.ts";
import { planDestroy } from "./plan/plan-destroy.ts";
import { initialPrivateState } from "./private-state.ts";
import { validateVm } from "./validate/validate.ts";

/**
 * `proxmox_vm`. What is not written is inherited, devices are maps keyed by slot, the plan knows the template, and a VM
 * is ours only if its fingerprint says so.
 * Server side: qemu-server `src/PVE/API2/Qemu.pm`.
 */
export const vm = defineResource({
  type: "proxmox_vm",
  subcategory: "Virtual machines",
  doc: 'A virtual machine: cloned from a template, made from an image, or from nothing. What you do not write is inherited from the template and left alone. A line that you take out is undone: the value goes back to what was there before the line took effect, and the plan shows it. Where nothing is remembered (an imported or moved state, a secret) the value stays and the plan says how to unset it: `""`, `[]`, or `0` where the attribute says so. To give up a line without a change, name it in `lifecycle.ignore_changes`.',
  attributes,
  identity: ["vmid"],
  privateState: initialPrivateState,
  moves: [...bpgMoves, ...telmateMoves],
  label: ({ name, vmid }) => (name ? `VM "${name}"` : vmid ? `VM ${vmid}` : "VM"),

  validate: validateVm,
  plan: counted(planVm),
  planDelete: counted(planDestroy),
  create: counted(createVm),
  before: vmBefore,
  settle: counted(settleVm),
  prefetch: ({ inventory }) => void inventory.snapshot().catch(() => {}), // Who reads asks again, and hears why.
  read: counted(readVm),
  update: counted(updateVm),
  delete: counted(destroyVm),
  import: importVm,
  omitFromConfig: madeUp,
});
