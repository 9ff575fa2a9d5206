/** `101-0`: the guest, and a number that distinguishes its jobs. */
export function parseJobId(id: string): { readonly vmid: number; readonly number: number } | null {
  const [, vmid, number] = /^([1-9]\d{2,8})-(\d{1,9})$/.exec(id) ?? [];
  return vmid === undefined ? null : { vmid: Number(vmid), number: Number(number) };
}

export const checkJobId = (id: string): string | undefined =>
  parseJobId(id) === null ? "Must be the VMID and a number, such as `101-0`." : undefined;
