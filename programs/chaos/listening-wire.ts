import { type Calls, Wire, type WireDiagnostic } from "../../test/harness/wire.ts";

/** A connection that records the provider's warnings, which Terraform shows to the user. */
export class ListeningWire extends Wire {
  onWarning: (warning: WireDiagnostic) => void = () => {};

  override async call<Name extends keyof Calls>(name: Name, request: Calls[Name][0]): Promise<Calls[Name][1]> {
    const response = await super.call(name, request);
    const { diagnostics = [] } = response as { diagnostics?: readonly WireDiagnostic[] };
    for (const diagnostic of diagnostics) if (diagnostic.severity === "WARNING") this.onWarning(diagnostic);
    return response;
  }
}
