import type { Session } from "#kit";
import { type Change, willRun } from "../../../guest/plan/checks/change.ts";
import { checkNetworks as checkCards } from "../../../guest/plan/checks/network.ts";
import type { VmPlan } from "../../contexts.ts";

/** qemu-server: src/PVE/QemuServer.pm, `print_netdevice_full`. */
export const checkNetworks = (context: VmPlan, api: Session, change: Change): Promise<void> =>
  checkCards(context, api, change, (slot) =>
    change.after.read({ option: slot, key: "model" }) === "virtio" && willRun(context)
      ? "keeps the VM from starting"
      : null,
  );
