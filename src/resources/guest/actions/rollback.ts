import { bool, Failure, string } from "#kit";
import type { GuestBase } from "../base.ts";
import { guestAction } from "./guest-action.ts";
import { taskProgress } from "./task-progress.ts";

export const rollbackAction = (kind: GuestBase) =>
  guestAction(kind, {
    name: "rollback",
    verb: "roll back",
    doc: `Puts a ${kind.noun} back to a snapshot. Everything since then is lost: disks and settings are as they were. A ${kind.noun} that runs is stopped, unless the snapshot has its memory. What Terraform knows of it is out of date then: the next plan shows what the configuration would change. Needs \`VM.Snapshot\` or \`VM.Snapshot.Rollback\`.`,
    attributes: {
      name: { type: string(), mode: "required", doc: "Name of the snapshot." },
      start: {
        type: bool(),
        mode: "optional",
        doc: "Whether it is started then, if the snapshot has no memory; requires `VM.PowerMgmt`. Default: no.",
      },
    },
    timeout: { doc: "How long it may take.", default: "30m" },
    late: (vmid, limit) => ({
      summary: `The rollback of ${kind.noun} ${vmid} is not complete`,
      detail: `It was not within ${limit}. Its task continues: its log is on the node.`,
    }),

    async run(context, target) {
      const { api, signal, progress, config } = context;
      const { name, start } = config;
      const snapshots = await kind.calls(api).listSnapshots(target, { signal });
      if (!snapshots.some((one) => one.name === name)) {
        const names = snapshots.map((one) => `\`${one.name}\``).join(", ") || "none";
        const detail = `${kind.title} ${target.vmid} has no snapshot \`${name}\`. It has ${names}. Nothing was changed.`;
        throw new Failure("No such snapshot", detail, { path: "name" });
      }
      const submit = () => kind.calls(api).rollback(target, name, start ? { start: true } : {}, { signal });
      await taskProgress(context, target, `roll ${kind.noun} ${target.vmid} back to ${name}`, submit);
      progress(`${kind.title} ${target.vmid}: rolled back to ${name}`);
    },
  });
