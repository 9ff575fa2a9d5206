import type { Licensed } from "../licenses.ts";

/** A CycloneDX component: https://cyclonedx.org/docs/1.5/json/#components */
interface Component {
  type: "application" | "library" | "platform";
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
  components?: Component[];
}

/**
 * What is in the executable, as CycloneDX 1.5. Made from what was bundled rather than by `npm sbom`, which tells what is
 * installed: it lists packages that are never shipped and leaves out those that a development tool shares.
 */
export function sbom([program, node, ...packages]: readonly Licensed[], nodeParts: NodeJS.ProcessVersions): string {
  if (!program || !node) throw new Error("an executable has at least a program and Node in it");
  const runtime: Component = {
    ...component(node, "platform"),
    components: Object.entries(nodeParts)
      .filter(([name]) => name !== "node")
      .sort()
      .map(([name, version = ""]) => ({ type: "library", name, version, purl: `pkg:generic/${name}@${version}` })),
  };
  return `${JSON.stringify(
    {
      bomFormat: "CycloneDX",
      specVersion: "1.5",
      version: 1,
      metadata: { component: component(program, "application") },
      components: [runtime, ...packages.map((each) => component(each, "library"))],
    },
    null,
    2,
  )}\n`;
}

function component({ name, version, license }: Licensed, type: Component["type"]): Component {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type, name, version, purl, licenses: [{ expression: license }] };
}
