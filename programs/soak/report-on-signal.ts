/** Loaded into the process under test: when it is told to, it writes a report on itself, of what is left once garbage is gone. */
process.on("SIGUSR2", () => {
  globalThis.gc?.();
  process.report.writeReport();
});
