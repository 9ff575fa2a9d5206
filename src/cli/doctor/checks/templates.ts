import { showVm } from "#pve";
import { type Check, failed, notice, ok } from "../check.ts";

const shown = 5;

/** What there is to clone. Proxmox VE hides what one may not see without a word, and that is told apart here. */
export const templates: Check = {
  id: "templates",
  needs: ["login"],
  async look(visit) {
    const vms = await visit.client().inventory.listVms();
    const found = vms.filter(({ isTemplate }) => isTemplate).map(showVm);
    if (found.length > 0) {
      const more = found.length > shown ? ` and ${found.length - shown} more` : "";
      return ok(`${found.slice(0, shown).join(", ")}${more}`);
    }
    const permissions = await visit.permissions();
    const audited = Object.keys(permissions).filter((path) => "VM.Audit" in (permissions[path] ?? {}));
    if (audited.length === 0) {
      return failed(
        "no VM is to be seen at all: VM.Audit is missing",
        "Templates may well be there. It is not they that are missing but a privilege: grant VM.Audit on /vms,",
        "or on the pool or the VMs in question, to the user and, with privilege separation, to the token.",
      );
    }
    const where = audited.includes("/") || audited.includes("/vms") ? "" : ` on ${audited.join(", ")}`;
    return notice(
      `no template is to be seen${where}, among ${vms.length} ${vms.length === 1 ? "VM" : "VMs"}`,
      "Make one of a VM with `qm template <vmid>`, or grant VM.Audit where there is one.",
    );
  },
};
