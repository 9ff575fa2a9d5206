/** Loaded into the process under test: on a signal, it writes a report on its memory after a garbage collection. */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  process.report.writeReport();
});
