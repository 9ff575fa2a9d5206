import { askAsOther, type Bench } from "../vm/suite.ts";

export type Meddling = (bench: Bench, vmid: number) => unknown;

/** Where a volume of each storage is moved to. */
export const others: Readonly<Record<string, string>> = {
  "local-lvm": "ceph",
  "local-zfs": "nas",
  nas: "local-lvm",
  ceph: "nas",
};

/** Calls by another user to guests of one type. What PVE refuses has not happened. */
export function callsOfOthers(type: "qemu" | "lxc") {
  const ask = (bench: Bench, vmid: number, method: string, path: string, parameters: Record<string, string> = {}) =>
    askAsOther(bench, method, `/nodes/${bench.guest(vmid).node}/${type}/${vmid}/${path}`, parameters);
  const set = (bench: Bench, vmid: number, parameters: Record<string, string>) =>
    ask(bench, vmid, "PUT", "config", parameters);
  /** Removes the first of the options that the guest has. */
  const remove = (bench: Bench, vmid: number, options: readonly string[]) => {
    const found = options.find((option) => option in bench.guest(vmid).config);
    return found && set(bench, vmid, { delete: found });
  };
  return { ask, set, remove };
}
