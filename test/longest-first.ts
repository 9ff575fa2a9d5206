import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest although they are short: without a record of an earlier run, vitest begins with the largest.
 */
const longest = [
  "contract/crud/definitions.test.ts",
  "contract/chaos.test.ts",
  "recordings/replay.test.ts",
  "corner/conformance.test.ts",
  "acceptance/docs/commands.test.ts",
  "acceptance/reach.test.ts",
  "acceptance/window.test.ts",
  "acceptance/definitions.test.ts",
  "acceptance/complete-examples.test.ts",
  "acceptance/refusals.test.ts",
  "acceptance/examples.test.ts",
  "contract/vm/roles.test.ts",
];

/** A long file that starts last would run alone while the other cores are idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((file) => moduleId.endsWith(`/test/${file}`));
      return place === -1 ? longest.length : place;
    };
    return others.sort((a, b) => rank(a) - rank(b));
  }
}
