import { sizeOf } from "#kit";
import { type Change, isKnown, isStarted, isTouched, sourceOf, willRun } from "../../../guest/plan/checks/change.ts";
import type { VmPlan } from "../../contexts.ts";
import { deviceRules } from "./device-rules.ts";
import { driveRules } from "./drive-rules.ts";
import { memoryRules } from "./memory-rules.ts";
import { isQ35, mib, type Rule } from "./rule.ts";

/** Refuses settings that contradict each other, the template's included. */
export function checkSettings(context: VmPlan, change: Change): void {
  for (const { when, options, attributes, find } of rules) {
    const isJudged =
      when === "written"
        ? isTouched(context, change, options)
        : willRun(context) && (isStarted(context) || isTouched(context, change, options));
    if (!isJudged || !isKnown(context, ...attributes)) continue;
    for (const { path, detail, decidedBy = [] } of find(change.after)) {
      if (isKnown(context, decidedBy)) context.report.error(sourceOf(context, path), "Conflicting settings", detail);
    }
  }
}

/** qemu-server: src/PVE/API2/Qemu.pm, `update_vm_api`; src/PVE/QemuServer/Machine.pm; src/PVE/QemuServer.pm, `vga`. */
const writtenRules: readonly Rule[] = [
  {
    when: "written",
    options: /^(memory|balloon)$/,
    attributes: [
      ["memory", "size"],
      ["memory", "balloon"],
    ],
    find(draft) {
      const [memory, balloon] = [mib(draft), Number(draft.raw("balloon") ?? 0)];
      const size = (amount: number) => sizeOf(amount * 2 ** 20);
      if (balloon <= memory) return [];
      const detail = `The VM has ${size(memory)} of memory, and \`balloon\` is what it keeps of that at least: ${size(balloon)} is more. Use at most ${size(memory)}, or raise \`memory.size\`.`;
      return [{ path: ["memory", "balloon"], detail }];
    },
  },
  {
    when: "written",
    options: /^machine$/,
    attributes: [
      ["machine", "type"],
      ["machine", "viommu"],
      ["machine", "aw_bits"],
    ],
    find(draft) {
      const [viommu, bits] = ["viommu", "aw-bits"].map((key) => draft.read({ option: "machine", key }));
      if (bits !== null && viommu === null) {
        return [
          {
            path: ["machine", "aw_bits"],
            detail:
              "`aw_bits` is the address width of a virtual IOMMU, and the VM has none. Set `machine.viommu`, or leave `aw_bits` out.",
          },
        ];
      }
      if (viommu !== "intel") return [];
      if (!isQ35(draft)) {
        return [
          {
            path: ["machine", "viommu"],
            detail: '`viommu = "intel"` needs a q35 machine. Set `machine.type = "q35"`, or use `virtio`.',
          },
        ];
      }
      const isWidth = bits === null || Number(bits) === 39 || Number(bits) === 48;
      return isWidth
        ? []
        : [
            {
              path: ["machine", "aw_bits"],
              detail: `The Intel IOMMU has an address width of 39 or 48 bits, not ${String(bits)}.`,
            },
          ];
    },
  },
  {
    when: "written",
    options: /^vga$/,
    attributes: [
      ["vga", "type"],
      ["vga", "clipboard"],
    ],
    find(draft) {
      const [type, clipboard] = ["type", "clipboard"].map((key) => draft.read({ option: "vga", key }));
      if (clipboard !== "vnc" || type === null || /^(std|cirrus|vmware|virtio|qxl)/.test(String(type))) return [];
      return [
        {
          path: ["vga", "clipboard"],
          detail: `A card of type \`${String(type)}\` has no clipboard for VNC. Use \`std\`, \`virtio\` or \`qxl\`, or leave \`clipboard\` out.`,
        },
      ];
    },
  },
];

const rules = [...writtenRules, ...memoryRules, ...deviceRules, ...driveRules];
