import { setTimeout as sleep } from "node:timers/promises";
import { defineAction, Failure, parseDuration, string, within } from "#kit";
import { checkJobId, parseJobId } from "./job-id.ts";

/** `proxmox_replication_run`. Server side: pve-manager `PVE/API2/Replication.pm`, `schedule_now`. */
export const replicationRunAction = defineAction({
  type: "proxmox_replication_run",
  subcategory: "Backup",
  verb: "run",
  label: ({ id }) => `replication job ${String(id)}`,
  doc: "Runs a replication job now, and waits until the volumes are copied. Proxmox VE begins within a minute. Needs `VM.Replicate` and `VM.Audit` on the guest.",
  attributes: {
    id: { type: string({ check: checkJobId }), mode: "required", doc: "ID of the job, such as `101-0`." },
    timeout: {
      type: string({
        check: (text) => (parseDuration(text) === null ? "Must be a duration such as `30m` or `2h`." : undefined),
      }),
      mode: "optional",
      doc: "How long it may take. Default: `30m`.",
    },
  },

  async invoke(context) {
    const { id, timeout } = context.config;
    const limit = timeout ?? "30m";
    const late = {
      summary: `Replication job ${id} has not run yet`,
      detail: `It was not complete within ${limit}. The node continues: the log is in the web interface, under Replication of the guest.`,
    };
    await within(context, limit, late, async ({ api, signal, progress }) => {
      const job = await api.replication.find(id, { signal });
      const guest = await api.inventory.locate(parseJobId(id)?.vmid ?? 0);
      if (job === null || guest === null) {
        throw new Failure("Replication job not found", `There is no replication job ${id}, or it may not be seen.`, {
          path: "id",
        });
      }
      if (job.disable) {
        throw new Failure(
          "Replication job is disabled",
          `Job ${id} never runs while it is disabled. Enable it first.`,
          {
            path: "id",
          },
        );
      }
      await api.replication.runNow(guest.node, id, { signal });
      progress(`Job ${id}: waiting for the scheduler of ${guest.node}`);
      for (;;) {
        const status = await api.replication.status(guest.node, id, { signal });
        const { last_try = 0, last_sync = 0, fail_count = 0, error = "no reason is given" } = status ?? {};
        if (fail_count > 0) {
          const lines = await api.replication.log(guest.node, id, { signal });
          for (const { t } of lines) progress(`Job ${id}: ${t}`);
          throw new Failure(`Replication job ${id} failed`, `${error}. Proxmox VE tries again later.`);
        }
        if (last_try > 0 && last_sync >= last_try) break;
        await sleep(api.settings.tasks.pollMs, undefined, { signal });
      }
      for (const { t } of await api.replication.log(guest.node, id, { signal })) progress(`Job ${id}: ${t}`);
      progress(`Job ${id}: complete`);
    });
  },
});
