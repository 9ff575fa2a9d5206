import { repeatableTask, step } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestContext } from "../context.ts";

/** Converts the guest to a template. That cannot be undone. */
export async function makeTemplate({ kind, api, signal, log }: GuestContext, guest: GuestAddress): Promise<void> {
  const calls = kind.calls(api);
  const submit = () => calls.makeTemplate(guest, { signal });
  const isDone = async () => (await calls.getConfig(guest, {}, { signal })).isTemplate;
  const what = `make ${kind.noun} ${guest.vmid} a template`;
  await step(log, "template", { vmid: guest.vmid }, () => repeatableTask(api, guest, { what, submit, isDone, signal }));
}
