import { bool, notEmpty, string } from "#kit";
import { guestAction } from "../../guest/actions/guest-action.ts";
import { vmBase } from "../base.ts";
import { agentLate, agentNote, askAgent } from "./agent-action.ts";

/** `proxmox_vm_set_password`. Server side: qemu-server `src/PVE/API2/Qemu/Agent.pm`, `set-user-password`. */
export const setPasswordInVm = guestAction(vmBase, {
  name: "set_password",
  verb: "set a password in",
  doc: `Sets the password of a user in the guest through the guest agent. The user must exist. ${agentNote} Requires \`VM.GuestAgent.Unrestricted\`.`,
  attributes: {
    username: {
      type: notEmpty,
      mode: "required",
      doc: "User in the guest.",
    },
    password: {
      type: string({ check: (text) => (/^.{5,1024}$/s.test(text) ? undefined : "Must have 5 to 1024 characters.") }),
      mode: "required",
      writeOnly: true,
      doc: "New password, 5 to 1024 characters. It is write-only: a trigger accepts an ephemeral value. With `-invoke`, some versions of Terraform drop those: use a sensitive one.",
    },
    crypted: {
      type: bool(),
      mode: "optional",
      doc: "Whether `password` is a hash, as in `/etc/shadow`. Default: no.",
    },
  },
  timeout: { doc: "How long to wait for the guest agent.", default: "5m" },
  late: agentLate("Setting the password"),

  async run(context, target) {
    const { api, config, signal, progress } = context;
    const { username, password, crypted } = config;
    const vm = { node: target.node, vmid: target.vmid };
    const request = { username, password, ...(crypted && { crypted }) };
    await askAgent(context, target, () => api.agent.setPassword(vm, request, { signal }));
    progress(`VM ${vm.vmid}: password of ${username} set`);
  },
});
