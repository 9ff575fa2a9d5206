import { each } from "#kit";
import { type MapEntry, parseEntry, printEntry } from "./map-entry.ts";

type Nodes<T> = Readonly<Record<string, T>>;
type Printed = Readonly<Record<string, string | number | null>>;

/** The lines of PVE's `map`, one for each device on each node, as a map by node. */
const byNode = <T>(parse: (entries: readonly MapEntry[]) => T, print: (value: T) => readonly Printed[]) =>
  each<Nodes<T>>({
    parse: (lines) => {
      const entries = Map.groupBy(lines.map(parseEntry), ({ node = "" }) => node);
      return Object.fromEntries([...entries].map(([node, all]) => [node, parse(all)]));
    },
    print: (nodes) =>
      Object.entries(nodes).flatMap(([node, value]) => print(value).map((entry) => printEntry({ ...entry, node }))),
  });

interface PciDevice {
  readonly path: string;
  readonly device_id: string;
  readonly subsystem_id: string | null;
  readonly iommu_group: number | null;
  readonly description: string | null;
}

/** PVE also takes several addresses in one entry, which then share the rest. */
const pciDevices = ({ path = "", id = "", iommugroup, description, ...rest }: MapEntry): PciDevice[] =>
  path.split(";").map((address) => ({
    path: address,
    device_id: id,
    subsystem_id: rest["subsystem-id"] ?? null,
    iommu_group: iommugroup === undefined ? null : Number(iommugroup),
    description: description ?? null,
  }));

export const pciLines = byNode<{ readonly devices: readonly PciDevice[] }>(
  (entries) => ({ devices: entries.flatMap(pciDevices) }),
  ({ devices }) =>
    devices.map(({ device_id, subsystem_id, iommu_group, ...rest }) => ({
      ...rest,
      id: device_id,
      "subsystem-id": subsystem_id,
      iommugroup: iommu_group,
    })),
);

export const usbLines = byNode<{ device_id: string; path: string | null; description: string | null }>(
  ([{ id = "", path = null, description = null } = {}]) => ({ device_id: id, path, description }),
  ({ device_id, ...rest }) => [{ ...rest, id: device_id }],
);

export const directoryLines = byNode<{ path: string }>(
  ([{ path = "" } = {}]) => ({ path }),
  ({ path }) => [{ path }],
);
