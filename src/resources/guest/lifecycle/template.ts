import { step } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestContext } from "../context.ts";

/** Converts the guest to a template. That cannot be undone. */
export async function makeTemplate({ kind, api, signal, log }: GuestContext, guest: GuestAddress): Promise<void> {
  const submit = () => kind.calls(api).makeTemplate(guest, { signal });
  await step(log, "template", { vmid: guest.vmid }, () =>
    api.operations.run(guest, { what: `make ${kind.noun} ${guest.vmid} a template`, submit, signal }),
  );
}
