/** One line of `-json` output. */
export interface TerraformEvent {
  type: string;
  "@message": string;
  change?: { resource: { addr: string }; action: string; reason?: string };
  diagnostic?: Diagnostic;
  hook?: { resource: { addr: string }; action: string };
}

export interface Diagnostic {
  severity: "error" | "warning";
  summary: string;
  detail: string;
  address?: string;
  range?: { start: { line: number } };
  snippet?: { context?: string; code: string };
}

export interface Change {
  action: string;
  reason?: string;
}

/** Reads what `-json` printed. `validate` prints one object rather than lines, with its diagnostics in it. */
export function readEvents(stdout: string): {
  events: TerraformEvent[];
  diagnostics: Diagnostic[];
  changes: Record<string, Change>;
} {
  const events = stdout.split("\n").flatMap(parseLine);
  const validation = parseLine(stdout) as { diagnostics?: Diagnostic[] }[];
  const changes = events.flatMap(({ type, change }) =>
    type === "planned_change" && change ? [[change.resource.addr, withoutResource(change)] as const] : [],
  );
  return {
    events,
    diagnostics: [
      ...events.flatMap(({ diagnostic }) => diagnostic ?? []),
      ...validation.flatMap(({ diagnostics }) => diagnostics ?? []),
    ].filter(({ summary }) => summary !== causedByTheTest),
    changes: Object.fromEntries(changes),
  };
}

/** Terraform prints with every command how it found the provider. */
const causedByTheTest = "Provider development overrides are in effect";

function withoutResource({ action, reason }: { action: string; reason?: string }): Change {
  return reason ? { action, reason } : { action };
}

function parseLine(line: string): TerraformEvent[] {
  if (!line.startsWith("{")) return [];
  try {
    return [JSON.parse(line) as TerraformEvent];
  } catch {
    return [];
  }
}
