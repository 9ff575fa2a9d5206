import type { Process } from "../../core/kernel/process.ts";
import type { Guest, Section } from "../../core/world/guest.ts";
import { drivesOf, isCdrom } from "../config/drive.ts";
import { windowsVersion } from "../config/machine.ts";
import { memoryMiB } from "../config/memory.ts";
import { type IpConfig, netsOf, parseIpConfig, parseNet } from "../config/net.ts";

// The answers of the guest's operating system to its agent. The guest uses its cloud-init drive; for DHCP, or without a
// drive, it has an address that depends only on the VMID, so that it is stable.

interface Address {
  readonly "ip-address": string;
  readonly "ip-address-type": "ipv4" | "ipv6";
  readonly prefix: number;
}

const address = (ip: string, prefix: number): Address => ({
  "ip-address": ip,
  "ip-address-type": ip.includes(":") ? "ipv6" : "ipv4",
  prefix,
});

function fromCidr(cidr: string): Address {
  const [ip = "", prefix] = cidr.split("/");
  return address(ip, Number(prefix));
}

function addressesOf(vmid: number, index: number, { ip, ip6 }: IpConfig): Address[] {
  const v4 = ip === undefined ? [] : [ip === "dhcp" ? address(`198.51.100.${(vmid % 250) + index}`, 24) : fromCidr(ip)];
  const isStatic = ip6?.includes("/") === true;
  return [...v4, ...(isStatic ? [fromCidr(ip6)] : []), address(`fe80::${index + 1}`, 64)];
}

const noTraffic = {
  "rx-bytes": 0,
  "rx-packets": 0,
  "rx-errs": 0,
  "rx-dropped": 0,
  "tx-bytes": 0,
  "tx-packets": 0,
  "tx-errs": 0,
  "tx-dropped": 0,
};

function networkInterfaces({ vmid, config, run }: Guest): unknown[] {
  const booted = (run?.["ipconfig"] ?? {}) as Section;
  const nets = netsOf(config).map(([key, value], index) => {
    const id = key.replace(/^net/, "");
    // A guest reads its drive at boot: later changes of the drive have no effect inside.
    const ipconfig = booted[`ipconfig${id}`];
    return {
      name: `eth${id}`,
      "hardware-address": parseNet(value).macaddr?.toLowerCase(),
      "ip-addresses": addressesOf(vmid, index, parseIpConfig(ipconfig ?? "ip=dhcp") ?? {}),
      statistics: noTraffic,
    };
  });
  const loopback = {
    name: "lo",
    "hardware-address": "00:00:00:00:00:00",
    "ip-addresses": [address("127.0.0.1", 8), address("::1", 128)],
    statistics: {},
  };
  return [loopback, ...nets];
}

function fileSystems({ config }: Guest): unknown[] {
  const [, disk] = drivesOf(config).find(([, drive]) => !isCdrom(drive)) ?? [];
  const total = Number(disk?.size ?? 0);
  const root = {
    name: "sda1",
    mountpoint: "/",
    type: "ext4",
    "total-bytes": total,
    "used-bytes": Math.floor(total / 4),
  };
  return disk === undefined ? [] : [{ ...root, disk: [] }];
}

function osInfo({ config }: Guest): unknown {
  const windows = windowsVersion(config["ostype"]);
  return windows > 0
    ? { id: "mswindows", name: "Microsoft Windows", "pretty-name": `Windows ${windows}`, version: String(windows) }
    : {
        id: "debian",
        name: "Debian GNU/Linux",
        "pretty-name": "Debian GNU/Linux 13 (trixie)",
        version: "13 (trixie)",
        "version-id": "13",
        machine: "x86_64",
        "kernel-release": "6.12.0-amd64",
      };
}

const MiB = 2 ** 20;
const memoryBlock = 128 * MiB;

/** The result of `guest-<command>`; commands without a result return an empty object. */
export const agentAnswers: Readonly<Record<string, (guest: Guest, process: Process) => unknown>> = {
  ping: () => ({}),
  "get-time": (_guest, { sim }) => Math.floor(sim.clock.now() * 1e9),
  info: () => ({
    version: "10.0.0",
    supported_commands: Object.keys(agentAnswers).map((name) => ({
      name: `guest-${name}`,
      enabled: true,
      "success-response": true,
    })),
  }),
  "fsfreeze-status": () => "thawed",
  "fsfreeze-freeze": (guest) => fileSystems(guest).length,
  "fsfreeze-thaw": (guest) => fileSystems(guest).length,
  fstrim: () => ({ paths: [] }),
  "network-get-interfaces": networkInterfaces,
  "get-vcpus": ({ config }) =>
    Array.from({ length: Number(config["cores"] ?? 1) * Number(config["sockets"] ?? 1) }, (_, id) => ({
      "logical-id": id,
      online: true,
      "can-offline": id > 0,
    })),
  "get-fsinfo": fileSystems,
  "get-memory-blocks": ({ config }) =>
    Array.from({ length: Math.ceil((memoryMiB(config["memory"]) * MiB) / memoryBlock) }, (_, index) => ({
      "phys-index": index,
      online: true,
      "can-offline": true,
    })),
  "get-memory-block-info": () => ({ size: memoryBlock }),
  "suspend-hybrid": () => ({}),
  "suspend-ram": () => ({}),
  "suspend-disk": () => ({}),
  shutdown: () => ({}),
  "get-host-name": ({ config, vmid }) => ({ "host-name": config["name"] ?? `VM${vmid}` }),
  "get-osinfo": osInfo,
  "get-users": () => [],
  "get-timezone": () => ({ zone: "UTC", offset: 0 }),
};
