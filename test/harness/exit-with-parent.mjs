// Loaded into a provider that several test files share: its stdin ends with the worker that has started it, however that ends.
process.stdin.on("end", () => process.exit()).resume();
