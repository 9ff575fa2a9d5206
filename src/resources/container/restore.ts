import { bytesOf, type RawConfig } from "#kit";
import type { RestoreSteps } from "../guest/kind.ts";
import type { Archive } from "../guest/lifecycle/archive.ts";
import { onOtherStorage, storageOf } from "../guest/volume.ts";
import type { ContainerDesired, ContainerPlan } from "./contexts.ts";
import { defaults } from "./plan/predict.ts";
import { isHostPath, isMountSlot } from "./slots.ts";

/** What no backup contains (pve-container: src/PVE/LXC/Create.pm, `sanitize_and_merge_config`). */
const leftBehind = /^(unused\d+|parent|snaptime|snapstate|lock|digest)$/;

interface Mount {
  readonly slot: string;
  readonly line: string;
  readonly volume: string;
}

const mountsOf = ({ options }: Archive): Mount[] =>
  Object.entries(options).flatMap(([slot, line]) =>
    isMountSlot(slot) ? [{ slot, line, volume: /^(?:volume=)?([^,]+)/.exec(line)?.[1] ?? "" }] : [],
  );

type Wanted = Partial<Pick<ContainerDesired, "restore" | "unprivileged">>;

/** The configuration a restored container starts with. Names of volumes are those of the backed-up one, and will differ. */
function restoredConfig(archive: Archive, wanted: object): RawConfig {
  const { restore, unprivileged } = wanted as Wanted;
  const kept = Object.entries(archive.options).filter(
    ([option]) => !leftBehind.test(option) && option !== "unprivileged",
  );
  const isUnprivileged = unprivileged ?? archive.options["unprivileged"] === "1";
  const place = (option: string, line: string) =>
    restore?.storage && isMountSlot(option) ? onOtherStorage(line, restore.storage) : line;
  return {
    ...defaults,
    ...Object.fromEntries(kept.map(([option, line]) => [option, place(option, line)])),
    ...(isUnprivileged && { unprivileged: "1" }),
  };
}

/**
 * PVE puts all volumes on one storage, unless the call names each of them. It then leaves out directories of the host, which
 * only root@pam may mount.
 */
function placeMounts(archive: Archive, storage: string | null | undefined): Readonly<Record<string, string>> {
  const mounts = mountsOf(archive);
  const volumes = mounts.filter(({ volume }) => !isHostPath(volume));
  const places = new Set(volumes.map(({ volume }) => storage ?? storageOf(volume) ?? ""));
  const [only = "local"] = places;
  if (places.size === 1 && volumes.length === mounts.length) return { storage: only };
  return Object.fromEntries(
    volumes.map(({ slot, line, volume }) => {
      const bytes = bytesOf(/(?:^|,)size=([^,]+)/.exec(line)?.[1] ?? "") ?? 0;
      const options = line.split(",").filter((part, index) => index > 0 && !part.startsWith("size="));
      return [slot, [`${storage ?? storageOf(volume)}:${bytes / 2 ** 30}`, ...options].join(",")];
    }),
  );
}

/** How containers are restored. Server side: pve-container `src/PVE/API2/LXC.pm`, `create_vm` with `restore`. */
export const containerRestore: RestoreSteps = {
  task: "vzrestore",
  config: restoredConfig,
  parameters(archive, desired) {
    const { restore, unprivileged } = desired as ContainerDesired;
    return {
      ostemplate: archive.volume,
      restore: true,
      ...placeMounts(archive, restore?.storage),
      ...(typeof unprivileged === "boolean" && { unprivileged }),
    };
  },
  setLater: (archive) =>
    Object.fromEntries(
      mountsOf(archive).flatMap(({ slot, line, volume }) => (isHostPath(volume) ? [[slot, line]] : [])),
    ),
  check(given, api, archive) {
    const { report } = given as ContainerPlan;
    const mounts = mountsOf(archive);
    const isEmpty = ({ slot, line, volume }: Mount) =>
      slot !== "rootfs" && !isHostPath(volume) && !/(^|,)backup=1(,|$)/.test(line);
    const empty = mounts.filter(isEmpty).map(({ slot }) => `\`${slot}\``);
    if (empty.length > 0) {
      const lost = `${empty.join(", ")} had no \`backup = true\`, so the backup does not contain`;
      const effect =
        empty.length === 1
          ? "its data: the container gets an empty volume of that size."
          : "their data: the container gets empty volumes of their sizes.";
      report.warning("restore.archive", "Not in the backup", `${lost} ${effect}`);
    }
    const host = mounts.find(({ volume }) => isHostPath(volume));
    if (host === undefined || api.mayActAsRoot) return;
    report.error(
      "restore.archive",
      "Reserved for root@pam",
      `\`${host.slot}\` in the backup is \`${host.volume}\` of the host, which only the user root@pam may mount, and no token; the caller is ${api.identity}. Give the provider \`username = "root@pam"\` and \`password\` beside the token: calls like this one then use them, and no others.`,
    );
  },
};
