import { contentOf, isVolumeId, type VolumeContent } from "../blocks/volume-content.ts";
import type { VmValidate } from "../contexts.ts";
import { drivesIn } from "../slots.ts";

interface Named {
  readonly path: readonly string[];
  readonly name: string | null | undefined;
  /** What it may hold, and how such a name looks. */
  readonly contents: readonly VolumeContent[];
  readonly example: string;
  /** Words that stand for something else than a volume. */
  readonly words?: readonly string[];
  /** Whether it may be a path of the host, too: for root@pam, which the plan checks. */
  readonly orPath?: true;
}

/** Files and volumes go by their volume ID, not by a path or a bare file name. */
export function checkVolumeNames({ config, report }: VmValidate): void {
  for (const { path, name, contents, example, words = [], orPath } of namesIn(config)) {
    if (!name || words.includes(name) || (orPath && name.startsWith("/"))) continue;
    const also = words.map((word) => `, \`${word}\``).join("");
    const content = isVolumeId(name) ? contentOf(name) : undefined;
    if (content && contents.includes(content)) continue;
    const cause =
      content === undefined
        ? "is not a volume ID"
        : `is not of the content ${contents.map((one) => `\`${one}\``).join(" or ")}`;
    report.error(
      [...path],
      "Not a volume",
      `\`${name}\` ${cause}. Write it as \`storage:…\`, such as \`${example}\`${also}.`,
    );
  }
}

function namesIn(config: VmValidate["config"]): Named[] {
  const snippets = config.cloud_init?.snippets;
  const snippet = { contents: ["snippets"], example: "local:snippets/user.yaml" } as const;
  return [
    ...Object.entries(config.disks ?? {}).flatMap(([slot, disk]): Named[] => [
      {
        path: ["disks", slot, "import_from"],
        name: disk?.import_from,
        contents: ["import", "images"],
        example: "local:import/debian.qcow2",
        orPath: true,
      },
    ]),
    ...drivesIn(config).map(
      ({ path, drive }): Named => ({
        path: [...path, "volume"],
        name: drive?.volume,
        contents: ["images"],
        example: "local-lvm:vm-100-disk-0",
        orPath: true,
      }),
    ),
    ...Object.entries(config.cdroms ?? {}).map(
      ([slot, drive]): Named => ({
        path: ["cdroms", slot, "file"],
        name: drive?.file,
        contents: ["iso", "images"],
        example: "local:iso/debian.iso",
        words: ["none", "cdrom"],
        orPath: true,
      }),
    ),
    ...(["user", "network", "meta", "vendor"] as const).map(
      (kind): Named => ({ path: ["cloud_init", "snippets", kind], name: snippets?.[kind], ...snippet }),
    ),
    { path: ["hook_script"], name: config.hook_script, ...snippet, example: "local:snippets/hook.sh" },
  ];
}
