import type { DeferredReason, Diagnosed, Diagnostic, DynamicValue, Path, PathStep } from "#framework";
import { plainLine, plainMessage } from "../../text/plain-text.ts";
import type { Timestamp } from "../gen/google-protobuf.ts";
import * as wire from "../gen/tfplugin6.ts";

const nothing = new Uint8Array();

const severities = { error: wire.DiagnosticSeverity.ERROR, warning: wire.DiagnosticSeverity.WARNING } as const;

const reasons = {
  resource_config_unknown: wire.DeferredReason.RESOURCE_CONFIG_UNKNOWN,
  provider_config_unknown: wire.DeferredReason.PROVIDER_CONFIG_UNKNOWN,
  absent_prereq: wire.DeferredReason.ABSENT_PREREQ,
} as const;

export function dynamicValue(value: DynamicValue): wire.DynamicValue;
export function dynamicValue(value: DynamicValue | undefined): wire.DynamicValue | undefined;
export function dynamicValue(value: DynamicValue | undefined): wire.DynamicValue | undefined {
  return value && { msgpack: value.msgpack ?? nothing, json: value.json ?? nothing };
}

export function identity(value: DynamicValue | undefined): wire.ResourceIdentityData | undefined {
  return value && { identityData: dynamicValue(value) };
}

/** The response of every RPC that returns diagnostics only. */
export function diagnosed({ diagnostics }: Diagnosed): { diagnostics: wire.Diagnostic[] } {
  return { diagnostics: diagnostics.map(diagnostic) };
}

/** Terraform prints texts as they are, and parts of them come from the server and from guests. */
export function diagnostic({ severity, summary, detail, path }: Diagnostic): wire.Diagnostic {
  return {
    severity: severities[severity],
    summary: plainLine(summary),
    detail: plainMessage(detail),
    attribute: path?.length ? attributePath(path) : undefined,
  };
}

export function attributePath(path: Path): wire.AttributePath {
  return { steps: path.map(attributeStep) };
}

function attributeStep(step: PathStep): wire.AttributePathStep {
  if ("attribute" in step) return { attributeName: step.attribute };
  if ("key" in step) return { elementKeyString: step.key };
  return { elementKeyInt: step.index };
}

export function deferred(reason: DeferredReason | undefined): wire.Deferred | undefined {
  return reason && { reason: reasons[reason] };
}

export function timestamp(date: Date | undefined): Timestamp | undefined {
  if (!date) return undefined;
  const seconds = Math.floor(date.getTime() / 1000);
  return { seconds, nanos: (date.getTime() - seconds * 1000) * 1_000_000 };
}
