import { setTimeout as sleep } from "node:timers/promises";
import type { PveClient } from "#pve";
import { connect } from "../../../src/cli/connect.ts";
import { run } from "../../../src/cli/sweep/sweep.ts";
import { readHostSettings } from "./settings.ts";
import { type Survey, surveyHost } from "./survey.ts";

/** How long the tasks of a killed run are waited for. */
const patienceMs = 30 * 60_000;

/** Removes what runs have left in the pool; fails if something stays. */
export async function cleanHost(when: "before" | "after"): Promise<void> {
  const { pool, prefix, ...settings } = readHostSettings(process.env);
  const client = connect(process.env);
  let survey: Survey;
  try {
    survey = await surveyHost(client, { pool, prefix, ...settings });
    await tasksEnded(client);
  } finally {
    await client.close();
  }
  const { storage, files, backups, ...rest } = survey.found;
  const storages = [...new Set([storage, files, backups])].flatMap((one) => (one ? ["--storage", one] : []));
  const args = ["--pool", pool, "--prefix", prefix, ...storages, "--templates", "--yes"];
  if (when === "before") {
    const uses = Object.entries({ ...rest, storage, files, backups }).map(([name, value]) => `${name} ${value}`);
    process.stderr.write(`in pool ${pool}, with ${uses.join(", ")}\n`);
  }
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  const code = await run(args, { env: process.env, stdout: output, stderr: output });
  process.stderr.write(`${when} the tests: sweep ${args.join(" ")}\n${said.join("")}`);
  if (code !== 0) throw new Error(`sweep ended with code ${code}: remove by hand what stays in pool ${pool}`);
}

/** A guest joins its pool at the end of the task that creates it, and a killed run does not end its tasks. */
async function tasksEnded(client: PveClient): Promise<void> {
  const isRunning = async () => {
    const tasks = await client.collect("/cluster/tasks", {});
    return tasks.some(
      ({ user, tokenid, endtime }) => [user, tokenid, `${user}!${tokenid}`].includes(client.identity) && !endtime,
    );
  };
  for (const end = Date.now() + patienceMs; Date.now() < end && (await isRunning()); ) await sleep(1_000);
}
