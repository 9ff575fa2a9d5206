import { notEmpty, string } from "#kit";
import { guestAction } from "../../guest/actions/guest-action.ts";
import { vmBase } from "../base.ts";
import { agentLate, agentNote, askAgent } from "./agent-action.ts";

/** PVE's limit for the text that it receives; base64 takes four characters for three bytes. */
const most = 61_440;

/** `proxmox_vm_file_write`. Server side: qemu-server `src/PVE/API2/Qemu/Agent.pm`, `file-write`. */
export const writeFileInVm = guestAction(vmBase, {
  name: "file_write",
  verb: "write a file in",
  doc: `Writes a file in the guest through the guest agent. An existing file is replaced; owner and mode are those that the agent gives a new file. ${agentNote} Requires \`VM.GuestAgent.FileWrite\`.`,
  attributes: {
    path: {
      type: notEmpty,
      mode: "required",
      doc: "Path in the guest. Its folder must exist.",
    },
    content: {
      type: string(),
      mode: "optional",
      writeOnly: true,
      doc: "Text of the file: 60 KiB at most, 45 KiB if it has other characters than ASCII. Either this or `content_base64` must be given. With `-invoke`, some versions of Terraform drop ephemeral values.",
    },
    content_base64: {
      type: string(),
      mode: "optional",
      writeOnly: true,
      doc: "Bytes of the file in base64: 45 KiB at most.",
    },
  },
  timeout: { doc: "How long to wait for the guest agent.", default: "5m" },
  late: agentLate("Writing the file"),

  validate({ config, report }) {
    const { content, content_base64: bytes } = config;
    if (content === undefined || bytes === undefined) return;
    if ((content === null) === (bytes === null)) {
      report.error("content", "One content needed", "Give either `content` or `content_base64`.");
      return;
    }
    if (bytes !== null && Buffer.from(bytes, "base64").toString("base64") !== bytes) {
      report.error("content_base64", "Not base64", "Encode the bytes with `base64encode` or `filebase64`.");
    }
    const sent = encoded(content, bytes);
    if (sent.content.length > most) {
      report.error(
        bytes === null ? "content" : "content_base64",
        "File too long",
        `Proxmox VE accepts ${most} characters at a time, and this takes ${sent.content.length}. Upload the file in another way, or let the guest fetch it.`,
      );
    }
  },

  async run(context, target) {
    const { api, config, signal, progress } = context;
    const vm = { node: target.node, vmid: target.vmid };
    const request = { file: config.path, ...encoded(config.content, config.content_base64) };
    await askAgent(context, target, () => api.agent.writeFile(vm, request, { signal }));
    progress(`VM ${vm.vmid}: ${config.path} written`);
  },
});

/** PVE itself encodes ASCII only; other text is sent as base64. */
function encoded(text: string | null, bytes: string | null): { content: string; encode: boolean } {
  if (bytes !== null) return { content: bytes, encode: false };
  const content = text ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them.
  const isPlain = /^[\x00-\x7f]*$/.test(content);
  return isPlain ? { content, encode: true } : { content: Buffer.from(content).toString("base64"), encode: false };
}
