interface Sid {
  readonly kind: "vm" | "ct";
  readonly vmid: number;
}

/** `vm:100`; null if it is none. */
export function parseSid(sid: string): Sid | null {
  const [, kind, vmid] = /^(vm|ct):([1-9]\d{2,8})$/.exec(sid) ?? [];
  return kind === undefined ? null : { kind: kind as Sid["kind"], vmid: Number(vmid) };
}

export const sidHint = 'Must be "vm:" or "ct:" and a VMID, such as "vm:100".';
