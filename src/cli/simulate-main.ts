import { readFileSync } from "node:fs";
import { startSimulator } from "#simulator";

const [, , ...args] = process.argv;
const option = (name: string) => args[args.indexOf(`--${name}`) + 1];
const simulator = await startSimulator({
  seed: JSON.parse(readFileSync(option("seed") ?? "", "utf8")),
  port: Number(option("port") ?? 0),
  speed: args.includes("--speed") ? Number(option("speed")) : 1,
});
process.stderr.write(`${simulator.url}\n`);
