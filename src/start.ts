import { replaceByTuned } from "./tuned-process.ts";

// The entry of the built provider: small, since a process that replaces itself has loaded it for nothing.
replaceByTuned(process);
await import("./main.ts");
