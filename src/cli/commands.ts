/** A command of the binary; loaded only when it is asked for, since Terraform starts the same file several times a run. */
export interface Command {
  summary: string;
  /** Resolves to the exit code. */
  run(args: string[]): Promise<number>;
}

export const commands: Readonly<Record<string, Command>> = {
  demo: {
    summary: "Watch Terraform work on a simulated cluster: create, change and destroy five VMs.",
    run: async (args) => (await import("./demo.ts")).run(args),
  },
  simulate: {
    summary: "Start a simulated Proxmox VE 9 cluster.",
    run: async (args) => (await import("./simulate.ts")).run(args),
  },
};
