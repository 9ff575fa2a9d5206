import type { ConfigPatch, Session } from "#kit";
import type { VmAddress } from "#pve";

/** Whether the patch makes volumes: that may outlast a request, which pveproxy gives up on after 30 s. */
const makesVolumes = ({ set }: ConfigPatch): boolean =>
  Object.entries(set).some(
    ([option, line]) =>
      /^(scsi|virtio|sata|ide|efidisk|tpmstate)\d+$/.test(option) &&
      /^(file=)?[^:,]+:(\d+(\.\d+)?|cloudinit)(,|$)/.test(String(line)),
  );

/** Sends a patch in one call; nothing is sent when there is nothing to say. */
export async function sendPatch(
  api: Session,
  vm: VmAddress,
  patch: ConfigPatch,
  more: { readonly digest?: string; readonly force?: boolean; readonly signal: AbortSignal },
): Promise<boolean> {
  const { signal, ...rest } = more;
  if (Object.keys(patch.set).length === 0 && patch.delete.length === 0) return false;
  const change = { ...patch.set, ...(patch.delete.length > 0 && { delete: patch.delete }), ...rest };
  const what = `configure VM ${vm.vmid}`;
  if (makesVolumes(patch)) {
    await api.operations.run(vm, { what, submit: () => api.qemu.startConfigUpdate(vm, change, { signal }), signal });
  } else {
    await api.operations.run(vm, { what, submit: () => api.qemu.updateConfig(vm, change, { signal }), signal });
  }
  return true;
}
