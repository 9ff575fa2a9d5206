import { showVm } from "#pve";
import { type Check, notice, ok } from "../check.ts";
import { lacking } from "../vm-role.ts";

const shown = 5;

/**
 * The templates. Proxmox VE hides what a caller may not see without an error; this check distinguishes that from a
 * missing template.
 */
export const templates: Check = {
  id: "templates",
  needs: ["login"],
  async look(context) {
    const vms = await context.client().inventory.list("qemu");
    const found = vms.filter(({ isTemplate }) => isTemplate).map(showVm);
    if (found.length > 0) {
      const more = found.length > shown ? ` and ${found.length - shown} more` : "";
      return ok(`${found.slice(0, shown).join(", ")}${more}`);
    }
    const permissions = await context.permissions();
    const audited = Object.keys(permissions).filter((path) => "VM.Audit" in (permissions[path] ?? {}));
    if (audited.length === 0 && !(await context.holds())("/vms", "VM.Audit")) {
      return lacking(permissions)(
        "no VM is visible: VM.Audit is missing",
        "Templates may exist, but this caller cannot see them: grant VM.Audit on /vms,",
        "or on the pool or the VMs in question, to the user and, with privilege separation, to the token.",
      );
    }
    const where = audited.includes("/") || audited.includes("/vms") ? "" : ` on ${audited.join(", ")}`;
    return notice(
      `no template is visible${where}, among ${vms.length} ${vms.length === 1 ? "VM" : "VMs"}`,
      "Convert a VM with `qm template <vmid>`, or grant VM.Audit on an existing template.",
    );
  },
};
