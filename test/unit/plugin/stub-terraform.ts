/**
 * Terraform as a separate process, so that a test can kill it: starts the stub provider, connects to it by default,
 * prints the provider's process id and socket, and waits for its end.
 */
import { writeSync } from "node:fs";
import { launch } from "../../harness/launch.ts";
import { stubProcess } from "./stub-process-command.ts";

const { wire, process: provider, address } = await launch(stubProcess);
if (process.argv[2] !== "--never-connect") await wire.call("GetMetadata", {});
writeSync(1, `${JSON.stringify({ pid: provider.pid, socket: address.replace("unix:", "") })}\n`);
setInterval(() => {}, 60_000);
