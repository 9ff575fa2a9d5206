import { die } from "../../core/kernel/failure.ts";
import type { Simulation } from "../../core/kernel/simulation.ts";
import type { Guest, GuestInside, GuestProgram } from "../../core/world/guest.ts";

// The actions of the guest agent in the guest: programs, files and passwords.

/** The process id of the first program; the lowest free one is used. */
const firstPid = 42;

interface GuestProcess {
  readonly ends: number;
  readonly program: GuestProgram | undefined;
}

/** Processes of the running guest whose exit status has not been read yet. */
function processesOf(guest: Guest): Record<number, GuestProcess> {
  const { run } = guest;
  if (run === undefined) {
    return {};
  }
  run["processes"] ??= {};
  return run["processes"] as Record<number, GuestProcess>;
}

function insideOf(guest: Guest): GuestInside {
  guest.inside ??= {};
  return guest.inside;
}

/** The most specific description of a program: the whole command line has priority over the program alone. */
function findProgram({ inside }: Guest, command: readonly string[]): GuestProgram | undefined {
  const programs = inside?.programs ?? [];
  const isSame = (known: readonly string[], wanted: readonly string[]) =>
    known.length === wanted.length && known.every((word, index) => word === wanted[index]);
  return (
    programs.findLast((program) => isSame(program.command, command)) ??
    programs.findLast((program) => isSame(program.command, command.slice(0, 1)))
  );
}

/** `cat` alone prints its input. */
const echo = (command: readonly string[], input: string | undefined): GuestProgram | undefined =>
  command.length === 1 && command[0] === "cat" && input !== undefined ? { command, out: input } : undefined;

export function execute({ clock }: Simulation, guest: Guest, command: readonly string[], input?: string): number {
  const processes = processesOf(guest);
  let pid = firstPid;
  while (processes[pid] !== undefined) {
    pid++;
  }
  const program = findProgram(guest, command) ?? echo(command, input);
  processes[pid] = { ends: clock.now() + (program?.seconds ?? 0) / clock.speed, program };
  return pid;
}

/** `guest-exec-status`: after the exit status was read, the process id is free. */
export function processStatus({ clock }: Simulation, guest: Guest, pid: number): Record<string, unknown> {
  const processes = processesOf(guest);
  const { ends, program } = processes[pid] ?? die(`Agent error: PID ${pid} does not exist`);
  if (clock.now() < ends) {
    return { exited: 0 };
  }
  delete processes[pid];
  return {
    exited: 1,
    exitcode: program?.exitcode ?? 0,
    ...(program?.out && { "out-data": program.out }),
    ...(program?.err && { "err-data": program.err }),
  };
}

export function readGuestFile(
  guest: Guest,
  path: string,
  offset: number,
  count: number,
): { bytes: Buffer; isTruncated: boolean } {
  const files: Readonly<Record<string, string>> = {
    "/etc/hostname": Buffer.from(`${guest.config["name"] ?? `VM${guest.vmid}`}\n`).toString("base64"),
    ...guest.inside?.files,
  };
  const content =
    files[path] ?? die(`Agent error: failed to open file '${path}' (mode: 'r'): No such file or directory`);
  const all = Buffer.from(content, "base64");
  // The end of the file is only detected by reading beyond it.
  return { bytes: all.subarray(offset, offset + count), isTruncated: offset + count <= all.length };
}

/** Text is written as the bytes of Perl's characters; `isPlain` is false if the caller has encoded it already. */
export function writeGuestFile(guest: Guest, path: string, content: string, isPlain: boolean): void {
  if (isPlain && /[^\0-\xff]/.test(content)) {
    die("Wide character in subroutine entry at /usr/share/perl5/PVE/API2/Qemu/Agent.pm line 534.");
  }
  const inside = insideOf(guest);
  inside.files = { ...inside.files, [path]: isPlain ? Buffer.from(content, "latin1").toString("base64") : content };
}

export function setPassword(guest: Guest, user: string, password: string): void {
  const inside = insideOf(guest);
  inside.passwords = { ...inside.passwords, [user]: password };
}
