import fc from "fast-check";
import { flag, furnished, given, life, one, place, rarely, some, storage } from "../transitions/arbitraries.ts";
import { transitionsOf } from "../transitions/arbitrary-transitions.ts";
import type { Tree } from "../transitions/lines.ts";
import { surroundings } from "../transitions/surroundings.ts";
import { clonedContainers } from "./arbitrary-container.ts";
import { type MeddlingName, meddlings } from "./meddlings.ts";

/** What PVE lets only root@pam set. */
const reserved = some({
  features: some({ nesting: flag, keyctl: flag, fuse: flag, mknod: flag, mount: one(["nfs"], ["cifs", "nfs"], []) }),
  devices: some({
    dev0: some({ mode: one("0660", "0666"), uid: one(0, 1000), deny_write: flag }).map((more) => ({
      path: "/dev/fuse",
      ...more,
    })),
    dev3: one({ path: "/dev/net/tun" }, { path: "/dev/net/tun", gid: 44 }),
  }),
});

/** A directory of the host instead of a volume. */
const bind = some({ read_only: flag, shared: flag, backup: flag }).map((more) => ({
  host_path: "/srv/share",
  path: "/share",
  ...more,
}));

/** A configuration of a container, and what is to happen to it. */
const configs: fc.Arbitrary<Tree> = fc
  .record({
    config: clonedContainers,
    more: reserved,
    lived: life,
    bound: rarely(bind, 4),
    boundTo: one("mp0", "mp9", "mp9"),
    wait: rarely(one("0s", "1s"), 8),
    placed: rarely(place, 4),
    moved: rarely(storage, 4),
    fate: rarely(one("delete", "detach"), 3),
    around: fc.record(surroundings),
  })
  .map(({ config: { ha: _ha, ...config }, more, lived, bound, boundTo, wait, placed, moved, fate, around }) => {
    const { mounts, ...rest } = furnished(config, "mounts", "rootfs", { storage: moved, fate });
    return given({
      ...rest,
      ...more,
      ...lived,
      ...placed,
      ...around,
      mounts: bound === undefined ? mounts : { ...(mounts as Tree | undefined), [boundTo]: bound },
      wait_for_address: wait,
    });
  });

export const transitions = transitionsOf(
  ["image", "golden", "plain", "model", "archive"],
  configs,
  Object.keys(meddlings) as MeddlingName[],
);
