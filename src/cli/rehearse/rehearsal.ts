import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Simulator, startSimulator } from "#simulator";
import { AttachedProvider } from "../attached-provider.ts";
import { connect } from "../connect.ts";
import { fitSeed } from "../export/fit-seed.ts";
import { readCluster } from "../export/read-cluster.ts";
import { unlessInterrupted } from "../interrupt.ts";
import { UsageError } from "../run-command.ts";
import { Terraform } from "../run-terraform.ts";
import { type Binary, findBinaries, howToGetOne } from "../terraform-binaries.ts";
import { withCaller } from "./caller.ts";
import { copyEnvironment } from "./copy.ts";
import { readApply, readPlan, tasksOf } from "./events.ts";
import { foreignChanges, type PlanJson } from "./foreign-changes.ts";
import type { Rehearsal } from "./report.ts";
import { withSpeeds } from "./times.ts";
import { WorkingCopy } from "./working-copy.ts";

export interface RehearsalOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly speed: number;
  /** For `terraform plan`. */
  readonly planArguments: readonly string[];
  /** Providers whose changes may be made, although nothing copies what they change. */
  readonly allowed: readonly string[];
  readonly signal: AbortSignal;
  progress(line: string): void;
}

type Unseen = Rehearsal["unseen"];

/** What the user has set for the backend and the state of the original is not for the copy. */
const ownData = { TF_DATA_DIR: "", TF_CLI_ARGS_init: "", TF_CLI_ARGS_apply: "" };

/** Applies a configuration to a copy of the cluster. The cluster itself is only read. */
export async function rehearse(options: RehearsalOptions): Promise<Rehearsal> {
  const { folder, env, signal, progress } = options;
  requireConfiguration(folder);
  const binary = binaryFor();
  const original = new Terraform(binary, env, signal);
  const state = await pullState(original, folder);
  progress("Reading the cluster");
  const { simulator, copy, unseen, speeds } = await copyCluster(options);
  const ends: (() => unknown)[] = [() => simulator.close()];
  try {
    const provider = await AttachedProvider.start(copyEnvironment(copy, env));
    ends.unshift(() => provider.end());
    const data = resolve(folder, env["TF_DATA_DIR"] || ".terraform");
    const working = new WorkingCopy(folder, data);
    ends.unshift(() => working.remove());
    working.useOwnState(state.workspace);
    const terraform = original.with({ ...provider.variables, ...ownData, TF_WORKSPACE: state.workspace });
    const stage = { ...options, terraform, working, state, providers: join(data, "providers") };
    return { ...(await play(stage, simulator)), unseen, speeds };
  } finally {
    for (const end of ends) await end();
  }
}

function requireConfiguration(folder: string): void {
  const isFolder = existsSync(folder) && statSync(folder).isDirectory();
  const names = isFolder ? readdirSync(folder) : [];
  if (!names.some((name) => /\.(?:tf|tofu)(?:\.json)?$/.test(name)))
    throw new UsageError(`'${folder}' has no configuration; --folder names the folder that has.`);
}

function binaryFor(): Binary {
  const [binary] = findBinaries();
  if (binary === undefined) throw new UsageError(howToGetOne);
  return binary;
}

/** Fails with what Terraform says, if the folder is not one that it can plan. */
async function pullState(terraform: Terraform, folder: string): Promise<{ text: string; workspace: string }> {
  const pulled = await terraform.run(folder, ["state", "pull"]);
  if (pulled.code !== 0) throw new UsageError(`The state cannot be read:\n${pulled.stderr.trim()}`);
  const shown = await terraform.run(folder, ["workspace", "show"]);
  return { text: pulled.stdout, workspace: shown.stdout.trim() || "default" };
}

async function copyCluster({ env, speed, progress, signal }: RehearsalOptions) {
  const client = connect(env);
  try {
    const exported = await unlessInterrupted(signal, readCluster(client, progress));
    const permissions = await client.access.getPermissions();
    const fitted = fitSeed(exported.seed);
    const timed = withSpeeds(fitted.seed, exported.speeds);
    const { seed, caller } = withCaller(timed.seed, permissions);
    const simulator = await startSimulator({ seed, speed });
    const { url: endpoint, caCertificate } = simulator;
    const isRoot = client.identity === "root@pam" || client.settings.root !== undefined;
    const copy = { endpoint, caCertificate, token: caller.token, rootPassword: isRoot ? caller.rootPassword : null };
    const unseen: Unseen = [...exported.unseen, ...fitted.left];
    return { simulator, copy, unseen, speeds: timed.sources };
  } finally {
    await client.close();
  }
}

interface Stage extends RehearsalOptions {
  readonly terraform: Terraform;
  readonly working: WorkingCopy;
  readonly state: { readonly text: string; readonly workspace: string };
  readonly providers: string;
}

type Played = Omit<Rehearsal, "unseen" | "speeds">;

const nothing: Played = {
  resources: [],
  tasks: [],
  estimatedSeconds: 0,
  problems: [],
  secondPlan: "not made",
  left: [],
};

async function play(stage: Stage, simulator: Simulator): Promise<Played> {
  const { terraform, working, state, planArguments, allowed, progress, providers } = stage;
  const { folder } = working;
  const offline = existsSync(providers) ? [`-plugin-dir=${providers}`] : [];
  const prepared = await terraform.run(folder, ["init", "-reconfigure", "-get=false", "-no-color", ...offline]);
  if (prepared.code !== 0) return { ...nothing, problems: [prepared.stderr.trim()] };
  working.keepState(state.text, state.workspace);
  progress("Planning on the copy");
  const planned = await terraform.run(folder, ["plan", "-no-color", "-out=rehearsal.plan", ...planArguments]);
  if (planned.code !== 0) return { ...nothing, problems: [planned.stderr.trim()] };
  const shown = await terraform.run(folder, ["show", "-json", "rehearsal.plan"]);
  const plan = JSON.parse(shown.stdout) as PlanJson;
  const foreign = foreignChanges(plan, allowed);
  if (foreign.length > 0) {
    throw new UsageError(
      `The plan changes things that are not copied, and a rehearsal would really change them:\n  ${foreign.join("\n  ")}\n` +
        "Leave them out with `-- -target=ADDRESS`, or let them be changed with --allow NAME.",
    );
  }
  progress("Applying on the copy");
  const applied = await terraform.run(folder, ["apply", "-json", "rehearsal.plan"]);
  const { resources, problems } = readApply(applied.stdout, plan);
  const { tasks, seconds: estimatedSeconds } = tasksOf(simulator);
  const failed = applied.code !== 0 && problems.length === 0 ? [applied.stderr.trim()] : problems;
  if (failed.length > 0) return { ...nothing, resources, tasks, estimatedSeconds, problems: failed };
  progress("Planning once more");
  const second = await terraform.run(folder, ["plan", "-json", "-detailed-exitcode", ...planArguments]);
  const { left, problems: late } = readPlan(second.stdout);
  const secondPlan = second.code === 0 ? "empty" : second.code === 2 ? "not empty" : "failed";
  return { resources, tasks, estimatedSeconds, problems: late, secondPlan, left };
}
