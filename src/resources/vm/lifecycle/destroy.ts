import { Failure, removeAfterOthers, step } from "#kit";
import { dataDrive } from "../blocks/cloud-init-drive.ts";
import type { VmDelete } from "../contexts.ts";
import { destroyGrace } from "../grace.ts";
import { addressOf } from "./address.ts";
import { discardData } from "./cloud-init-data.ts";
import { setFate } from "./fates.ts";
import { type FoundVm, findVm } from "./find.ts";
import { leaveHa } from "./ha-resource.ts";
import { fingerprintOf, isSameVm } from "./identity.ts";
import { stopVm } from "./power.ts";
import { removeVolume } from "./remove-volume.ts";

/** Removes the VM and what belongs to it, after making sure that it is the one. */
export async function destroyVm(context: VmDelete): Promise<void> {
  setFate(context.api, context.id.vmid, { stays: false, name: null });
  await removeAfterOthers(context, async () => {
    try {
      await destroy(context);
      return null;
    } catch (reason) {
      // Its linked clones may be going in the same run.
      if (reason instanceof Error && context.api.isUsedByClones(reason)) return reason;
      throw reason;
    }
  });
}

async function destroy(context: VmDelete): Promise<void> {
  const { api, id, state, signal, log } = context;
  api.inventory.forget();
  const found = await findVm(api, id.vmid, signal);
  if (found === null) return;
  if (found.config === null) {
    throw new Failure("Node offline", `VM ${id.vmid} is on ${found.node}, which does not answer.`);
  }
  const vm = addressOf(found);
  if (isStranger(context, found)) return;
  if (found.config.options["protection"] === "1") {
    throw new Failure("VM is protected", "Nothing was changed. Set `protection = false` and apply that first.", {
      path: "protection",
    });
  }
  if (found.status === "running") await stopVm(context, vm, destroyGrace(state));
  await discardOwnData(context, found);
  await leaveHa(context);
  const request = {
    purge: state.destroy?.purge ?? true,
    "destroy-unreferenced-disks": state.destroy?.unreferenced_disks ?? false,
  };
  const submit = () => api.qemu.remove(vm, request, { signal });
  const { warnings } = await step(log, "destroy", { vmid: id.vmid }, () =>
    api.operations.run(vm, { what: `destroy VM ${id.vmid}`, submit, signal }),
  );
  api.inventory.forget();
  await removeLeftovers(context, found.node, warnings);
}

/** While the VM is still known: once it is gone, nobody would come back for its image. */
async function discardOwnData(context: VmDelete, found: FoundVm): Promise<void> {
  const draft = context.api.draft(found.config.options);
  const { data_storage: storage, user_data: text } = context.state.cloud_init ?? {};
  if (dataDrive(draft) !== null || typeof text === "string" || context.privateState.dataImage !== null)
    await discardData(context, addressOf(found), draft, { storage });
}

/** Nothing foreign is destroyed; and the VM that was made here is gone, which is all a destroy is for. */
function isStranger({ id, privateState, report }: VmDelete, found: FoundVm): boolean {
  const seen = fingerprintOf(found.config.options);
  if (privateState.fingerprint === null || isSameVm(privateState.fingerprint, seen)) return false;
  report.warning(
    null,
    `VMID ${id.vmid} is another VM now`,
    `"${found.config.name ?? `VM ${id.vmid}`}" on ${found.node} is not the VM that was created here, and is left alone. The one that was created here is gone.`,
  );
  return true;
}

/** PVE destroys a VM even if a volume stays behind, and says so in its log only. */
async function removeLeftovers(context: VmDelete, node: string, warnings: readonly string[]): Promise<void> {
  const { api, report, id } = context;
  for (const line of warnings) {
    const left = api.readLeftVolume(line);
    if (left === null) {
      report.warning(null, `VM ${id.vmid} was destroyed with a warning`, line);
    } else if (!(await removeVolume(context, node, left.volume))) {
      report.warning(
        null,
        `Volume ${left.volume} is left behind`,
        `VM ${id.vmid} is gone, but this volume of it could not be removed: ${left.reason}\nRemove it on ${node} when the storage allows it.`,
      );
    }
  }
}
