import { setTimeout as sleep } from "node:timers/promises";
import { Failure, int, list, quote, set, string } from "#kit";
import type { GuestAddress, GuestProgramStatus } from "#pve";
import { guestAction } from "../../guest/actions/guest-action.ts";
import type { TaskContext } from "../../guest/actions/task-progress.ts";
import { vmBase } from "../base.ts";
import { agentLate, agentNote, askAgent } from "./agent-action.ts";

/** Pauses between questions for the end of the program, up to the poll interval of tasks. */
const firstPauseMs = 100;

/** Lines of each output that are shown. */
const shownLines = 200;

/** `proxmox_vm_exec`. Server side: qemu-server `src/PVE/API2/Qemu/Agent.pm`, `exec`. */
export const execInVm = guestAction(vmBase, {
  name: "exec",
  verb: "run a program in",
  doc: `Runs a program in the guest through the guest agent, shows its output and waits until it ends. Fails when the exit code is not expected. No SSH and no network is needed. ${agentNote} Requires \`VM.GuestAgent.Unrestricted\`. The output is shown as it is: do not run programs that print secrets.`,
  attributes: {
    command: {
      type: list(string(), { min: 1 }),
      mode: "required",
      doc: 'Program and its arguments, each an element: `["systemctl", "restart", "nginx"]`. No shell is involved; for one write `["/bin/sh", "-c", "…"]`.',
    },
    input: {
      type: string({ check: (text) => (text.length > 65_536 ? "Must have at most 65536 characters." : undefined) }),
      mode: "optional",
      writeOnly: true,
      doc: "Standard input of the program, 64 KiB at most. With `-invoke`, some versions of Terraform drop ephemeral values.",
    },
    exit_codes: { type: set(int()), mode: "optional", doc: "Exit codes that mean success. Default: `[0]`." },
  },
  timeout: { doc: "How long to wait for the guest agent and for the end of the program.", default: "10m" },
  late: agentLate("The program"),

  async run(context, target) {
    const { api, config, signal, progress } = context;
    const vm = { node: target.node, vmid: target.vmid };
    const [program = ""] = config.command;
    const pid = await askAgent(context, target, () => api.agent.exec(vm, config, { signal }));
    progress(`VM ${vm.vmid}: ${program} runs as process ${pid}`);
    const status = await awaitEnd(context, vm, pid);
    show(context, vm, "out", status["out-data"], status["out-truncated"]);
    show(context, vm, "err", status["err-data"], status["err-truncated"]);
    checkEnd(program, vm, status, config.exit_codes ?? [0]);
    progress(`VM ${vm.vmid}: ${program} ended with exit code ${status.exitcode ?? 0}`);
  },
});

async function awaitEnd({ api, signal }: TaskContext, vm: GuestAddress, pid: number): Promise<GuestProgramStatus> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, api.settings.tasks.pollMs)) {
    const status = await api.agent.execStatus(vm, pid, { signal });
    if (status.exited) return status;
    await sleep(pauseMs, undefined, { signal });
  }
}

function show(
  { progress }: TaskContext,
  { vmid }: GuestAddress,
  name: "out" | "err",
  text = "",
  isTruncated: boolean | undefined,
): void {
  const lines = linesOf(text);
  const hidden = lines.length - shownLines;
  if (hidden > 0) progress(`VM ${vmid}: ${name}: ${hidden} lines before these are not shown`);
  for (const line of lines.slice(-shownLines)) progress(`VM ${vmid}: ${name}: ${line}`);
  if (isTruncated) progress(`VM ${vmid}: ${name}: truncated by the guest agent`);
}

const linesOf = (text: string): string[] =>
  text
    .replace(/\s+$/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");

function checkEnd(
  program: string,
  { vmid }: GuestAddress,
  { exitcode, signal, ...output }: GuestProgramStatus,
  expected: readonly number[],
): void {
  const what = `\`${program}\` in VM ${vmid}`;
  if (signal !== undefined) throw new Failure("The program was killed", `${what} ended by signal ${signal}.`);
  if (expected.includes(exitcode ?? 0)) return;
  const last = linesOf(`${output["out-data"] ?? ""}\n${output["err-data"] ?? ""}`).slice(-10);
  throw new Failure(
    `Exit code ${exitcode}`,
    quote([`${what} ended with exit code ${exitcode}; expected: ${expected.join(", ")}.`, ...last].join("\n")),
    { path: "command" },
  );
}
