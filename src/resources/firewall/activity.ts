import { Activity, type Session } from "#kit";

/** How long no other change of a firewall may begin before the cluster's firewall is enabled. */
const quietMs = 1000;

const activityOf = (api: Session): Activity => api.store.keep("changes of firewalls", () => new Activity());

/** Work on a firewall. */
export const changingFirewall = <T>(api: Session, work: () => Promise<T>): Promise<T> => activityOf(api).during(work);

/** Waits until no change of a firewall is under way: Terraform makes those at the same time that do not name each other. */
export async function awaitOtherChanges(api: Session, signal: AbortSignal): Promise<void> {
  while (await activityOf(api).next(quietMs, signal));
}
