/** A line of `terraform plan -json` or `terraform apply -json`. */
export interface TerraformEvent {
  readonly type?: string;
  readonly "@message"?: string;
  readonly hook?: {
    readonly resource?: { readonly addr: string };
    readonly action?: string;
    readonly elapsed_seconds?: number;
  };
  readonly change?: { readonly resource?: { readonly addr: string }; readonly action?: string };
  readonly changes?: { readonly import?: number };
  readonly diagnostic?: {
    readonly severity: string;
    readonly summary: string;
    readonly detail?: string;
    readonly address?: string;
  };
}

export function eventsIn(text: string): TerraformEvent[] {
  return text.split("\n").flatMap((line) => {
    try {
      return line.startsWith("{") ? [JSON.parse(line) as TerraformEvent] : [];
    } catch {
      return [];
    }
  });
}

/** Errors, each as one text. */
export const problemsIn = (events: readonly TerraformEvent[]): string[] =>
  events.flatMap(({ diagnostic }) =>
    diagnostic?.severity === "error"
      ? [[diagnostic.address, diagnostic.summary, diagnostic.detail].filter(Boolean).join("\n")]
      : [],
  );
