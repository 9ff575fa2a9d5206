import type { CommandContext } from "./command-context.ts";

/** A command of the binary; loaded only when it is used, since Terraform starts the same file several times a run. */
export interface Command {
  summary: string;
  /** Resolves to the exit code. */
  run(args: string[], context: CommandContext): Promise<number>;
}

export const commands: Readonly<Record<string, Command>> = {
  adopt: {
    summary: "Write the configuration that takes over a whole cluster.",
    run: async (args, context) => (await import("./adopt/adopt.ts")).run(args, context),
  },
  demo: {
    summary: "Watch Terraform work on a simulated cluster: create, change and destroy five VMs.",
    run: async (args) => (await import("./demo.ts")).run(args),
  },
  doctor: {
    summary: "Find problems that keep a plan from working, and say how to fix them.",
    run: async (args, context) => (await import("./doctor/doctor.ts")).run(args, context),
  },
  drift: {
    summary: "Compare the cluster with an earlier export, or with a state.",
    run: async (args, context) => (await import("./drift/drift.ts")).run(args, context),
  },
  export: {
    summary: "Write a whole cluster as a seed of the simulator.",
    run: async (args, context) => (await import("./export/export.ts")).run(args, context),
  },
  import: {
    summary: "Write import blocks and resources for existing VMs.",
    run: async (args, context) => (await import("./import/import.ts")).run(args, context),
  },
  rehearse: {
    summary: "Apply a configuration to a copy of the cluster, and report what would happen.",
    run: async (args, context) => (await import("./rehearse/rehearse.ts")).run(args, context),
  },
  simulate: {
    summary: "Start a simulated Proxmox VE 9 cluster.",
    run: async (args, context) => (await import("./simulate.ts")).run(args, context),
  },
  sweep: {
    summary: "Remove guests that interrupted test runs left in a pool.",
    run: async (args, context) => (await import("./sweep/sweep.ts")).run(args, context),
  },
  timeline: {
    summary: "Show where the time of an apply went, from the trace in PROXMOX_TRACE_PATH.",
    run: async (args, context) => (await import("./timeline/timeline.ts")).run(args, context),
  },
  translate: {
    summary: "Translate a configuration written for bpg/proxmox or Telmate/proxmox.",
    run: async (args, context) => (await import("./translate/translate.ts")).run(args, context),
  },
};
