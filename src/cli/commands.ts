/** A command of the binary; loaded only when it is asked for, since Terraform starts the same file several times a run. */
export interface Command {
  summary: string;
  /** Resolves to the exit code. */
  run(args: string[]): Promise<number>;
}

export const commands: Readonly<Record<string, Command>> = {
  demo: {
    summary: "Let a real Terraform or OpenTofu work with this provider, telling what happens.",
    run: async () => (await import("./demo.ts")).run(),
  },
  simulate: {
    summary: "Serve a Proxmox VE 9 API from this process, to test on without a cluster.",
    run: async (args) => (await import("./simulate.ts")).run(args),
  },
};
