import { alternatives } from "#kit";
import type { InventoryGuest } from "#pve";
import { importBlock, resourceBlock, resourceNames } from "../../resources/functions/import-text.ts";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connect.ts";
import { jsonLine } from "../json-line.ts";
import { runCommand } from "../run-command.ts";
import { writeOutput } from "../write-output.ts";
import { type Selection, vmSelector } from "./select-vms.ts";

const usage = `Usage: import [options]

Writes the configuration that imports existing VMs into Terraform: an \`import\` block and the
smallest resource for each. Settings that are not written stay as they are, so the next plan shows imports and no changes.

  --name PATTERN    VMs of this name; * matches any characters, ? any one.
  --node NODE       VMs on this node.
  --pool POOL       VMs in this pool; "" for those without a pool.
  --tags A,B        VMs that have all these tags.
  --vmid 101,110-119
                    VMs with these VMIDs.
  --templates       Templates too.
  --out FILE        Write to this file, which must not exist, instead of the terminal.
  --force           Write it even if it exists.
  --json            Print one JSON object: the VMs, their addresses, and the configuration.

By default, every VM that is not a template. Reads the same variables as the provider; changes nothing on the cluster.

Exit code: 0 if there is something to import, 1 if there is not, 2 if the arguments are invalid.
`;

const options = {
  name: { type: "string" },
  node: { type: "string" },
  pool: { type: "string" },
  tags: { type: "string" },
  vmid: { type: "string" },
  templates: { type: "boolean" },
  out: { type: "string" },
  force: { type: "boolean" },
  json: { type: "boolean" },
} as const;

interface ImportOptions extends Selection {
  readonly out?: string | undefined;
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** `import`: resolves to the exit code. */
export async function run(args: string[], context: CommandContext = process): Promise<number> {
  return runCommand(
    args,
    { usage, options, act: (chosenOptions: ImportOptions) => adopt(chosenOptions, context) },
    context,
  );
}

async function adopt({ out, force, json, ...selection }: ImportOptions, context: CommandContext): Promise<number> {
  const { stdout, stderr, env } = context;
  const select = vmSelector(selection);
  const all = await listVms(env);
  const chosen = select(all);
  if (chosen.length === 0) {
    stderr.write(`${explainNone(selection, all)}\n`);
    return 1;
  }
  const names = resourceNames(chosen.map(({ vmid, name }) => ({ vmid, name })));
  const vms = chosen.map(({ vmid, name = null, node }) => ({ vmid, name, node, resource: names.get(vmid) ?? "" }));
  const hcl = [
    introduction(vms.length),
    ...vms.map((vm) => `${importBlock(`proxmox_vm.${vm.resource}`, vm.vmid)}\n${resourceBlock(vm.resource, vm)}`),
  ].join("\n");
  if (out !== undefined) writeOutput(out, hcl, { force });
  if (json) stdout.write(jsonLine({ vms, hcl, ...(out === undefined ? {} : { file: out }) }));
  else stdout.write(out === undefined ? hcl : `${out}: ${count(vms.length)}. Next: terraform plan.\n`);
  return 0;
}

async function listVms(env: CommandContext["env"]): Promise<readonly InventoryGuest[]> {
  const client = connect(env);
  try {
    return await client.inventory.list("qemu");
  } finally {
    await client.close();
  }
}

const count = (vms: number): string => (vms === 1 ? "1 VM to import" : `${vms} VMs to import`);

const introduction = (vms: number): string =>
  `# ${count(vms)}. \`terraform plan\` shows imports and no changes; settings that are not written here stay as they are.\n` +
  "# After the apply, the import blocks can be removed.\n";

/** An empty result is most often a typing mistake, or a missing privilege. */
function explainNone({ name, templates }: Selection, all: readonly InventoryGuest[]): string {
  if (all.length === 0) return "No VM is visible. `doctor` shows whether a privilege is missing.";
  const names = all.filter(({ isTemplate }) => templates || !isTemplate).flatMap((vm) => vm.name ?? []);
  if (names.length === 0) return "No VM matches. Only templates exist; --templates includes them.";
  return `No VM matches. ${alternatives(name?.replaceAll(/[*?]/g, "") ?? "", names)}`;
}
