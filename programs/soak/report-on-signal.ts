/** Loaded into the process under test: on a signal, it writes a report on its memory after a garbage collection. */
process.on("SIGUSR2", () => {
  // The only collection that also returns free pages: otherwise up to 128 MB of them count as the process's memory, or do not.
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
  process.report.writeReport();
});
