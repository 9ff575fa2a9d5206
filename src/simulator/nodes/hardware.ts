import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { splitList } from "../core/schema/format.ts";
import { stringListFormat } from "../core/schema/formats.ts";
import { boolean, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import { pciDevices, usbDevices } from "../core/world/host-devices.ts";

// pve-manager `PVE/API2/Hardware*.pm`.

const pciOrMapping = string({
  pattern: "(?:(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F])|([a-zA-Z][a-zA-Z0-9_-]+)",
});

export const hardwareEndpoints = [
  indexEndpoint("/nodes/{node}/hardware", "type", ["pci", "usb"]),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/pci",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Audit", "Sys.Modify"], { any: true }] },
    parameters: {
      node,
      "pci-class-blacklist": string({ optional: true, format: stringListFormat, default: "05;06;0b" }),
      verbose: boolean({ optional: true, default: 1 }),
    },
    handler: ({ params }) => {
      const hidden = splitList(params["pci-class-blacklist"] ?? "05;06;0b");
      return pciDevices
        .filter((device) => !hidden.some((prefix) => device.class.startsWith(`0x${prefix}`)))
        .map((device) => (params.verbose === 0 ? { id: device.id } : device));
    },
  }),
  indexEndpoint("/nodes/{node}/hardware/pci/{pci-id-or-mapping}", "method", ["mdev"], {
    parameters: { node, "pci-id-or-mapping": pciOrMapping },
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/pci/{pci-id-or-mapping}/mdev",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Audit", "Sys.Modify"], { any: true }] },
    parameters: { node, "pci-id-or-mapping": pciOrMapping },
    // No device supports mediated devices.
    handler: () => [],
  }),
  endpoint({
    method: "GET",
    path: "/nodes/{node}/hardware/usb",
    protected: true,
    proxyTo: "node",
    permissions: { check: ["perm", "/", ["Sys.Modify"]] },
    parameters: { node },
    handler: () => usbDevices,
  }),
];
