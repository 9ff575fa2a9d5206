import type { Report } from "#kit";

interface Rule {
  readonly type?: "node-affinity" | "resource-affinity" | undefined;
  readonly resources?: readonly unknown[] | undefined;
  readonly nodes?: object | null | undefined;
  readonly strict?: boolean | null | undefined;
  readonly affinity?: string | null | undefined;
}

/** Each type of rule has attributes of its own. */
export function validateRule({ config, report }: { config: Rule; report: Pick<Report, "error"> }): void {
  const { type, nodes, strict, affinity, resources } = config;
  const notFor = (path: string, other: string) =>
    report.error(path, "Not for this type", `\`${path}\` is for \`${other}\` rules.`);
  if (type === "node-affinity") {
    if (nodes === null) report.error("nodes", "Nodes needed", "A `node-affinity` rule names nodes: give `nodes`.");
    const graded = Object.entries(nodes ?? {}).filter(([, priority]) => typeof priority === "number" && priority > 0);
    if (affinity === "negative" && graded.length > 0) {
      const detail = `A rule that keeps guests away from nodes has no priorities: write ${graded.map(([node]) => `\`${node} = 0\``).join(", ")}.`;
      report.error("nodes", "Priorities without effect", detail);
    }
  }
  if (type !== "resource-affinity") return;
  if (affinity === null) {
    const detail =
      'A `resource-affinity` rule keeps guests together or apart: give `affinity = "positive"` or `"negative"`.';
    report.error("affinity", "Affinity needed", detail);
  }
  if (nodes) notFor("nodes", "node-affinity");
  if (typeof strict === "boolean") notFor("strict", "node-affinity");
  if (resources?.length === 1) {
    report.error("resources", "Two guests needed", "One guest alone is neither together nor apart: give two or more.");
  }
}
