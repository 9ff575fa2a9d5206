import { checkReference, defineAction, Failure, string } from "#kit";

/** `proxmox_notification_test`. Server side: pve-manager `PVE/API2/Cluster/Notifications.pm`, `test_target`. */
export const notificationTestAction = defineAction({
  type: "proxmox_notification_test",
  subcategory: "Cluster",
  verb: "test",
  label: ({ target }) => `notification endpoint "${target}"`,
  doc: "Sends a test message to an endpoint, which fails if the endpoint does not take it. Requires `Mapping.Use` on `/mapping/notifications`.",
  attributes: { target: { type: string(), mode: "required", doc: "Name of the endpoint." } },

  async invoke({ api, config: { target }, progress, signal }) {
    const refuse = (_: unknown, summary: string, detail: string): never => {
      throw new Failure(summary, detail, { path: "target" });
    };
    await checkReference(api, { error: refuse }, { kind: "endpoint", name: target, path: "target" });
    progress(`Endpoint "${target}": sending a test message`);
    await api
      .objects("", { path: "/cluster/notifications/targets/{name}/test", change: "POST" })
      .update({ name: target }, { signal });
    progress(`Endpoint "${target}": took the message`);
  },
});
