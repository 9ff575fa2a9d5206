import { createServer, type Diagnostic } from "#framework";
import { provider } from "../../../../../src/provider.ts";
import { Core, plain } from "../../../framework/core.ts";

export interface Moved {
  /** The result of the move; members that are null are left out. */
  readonly state: Record<string, unknown>;
  readonly privateState: Record<string, unknown>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Moves a state as Terraform would: with a provider that was never configured. */
export async function moveState(source: string, type: string, state: object): Promise<Moved> {
  const core = new Core(createServer(provider));
  await core.learn();
  const { targetState, targetPrivate, diagnostics } = await core.server.moveResourceState({
    sourceProviderAddress: source,
    sourceTypeName: type,
    sourceSchemaVersion: 0,
    sourceState: { json: Buffer.from(JSON.stringify(state)) },
    sourcePrivate: new Uint8Array(),
    targetTypeName: "proxmox_vm",
  });
  const moved = withoutNulls(plain(core.decode("proxmox_vm", targetState))) ?? {};
  const stored: unknown = targetPrivate.length > 0 ? JSON.parse(Buffer.from(targetPrivate).toString()) : {};
  const { value = {} } = stored as { value?: Record<string, unknown> };
  return { state: moved as Record<string, unknown>, privateState: value, diagnostics };
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
