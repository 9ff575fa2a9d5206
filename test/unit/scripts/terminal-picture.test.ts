import { expect, test } from "vitest";
import { excerpt, terminalPicture } from "../../../scripts/terminal-picture.ts";

const recording = [
  "Script started",
  "\u001b[1m3. Now\u001b[0m\r",
  "$ terraform\r",
  "\u001b[32mdone\r",
  "still green\u001b[0m <&>\r",
  "\u001b[?25h\r",
  "\r",
  "\u001b[1m4. Next\u001b[0m",
].join("\n");

test("a picture shows the lines from one text to another, without empty lines at its end", () => {
  expect(excerpt(recording, "3. ", "4. ")).toHaveLength(4);
  expect(excerpt(recording, "4. ", "3. ")).toEqual(["\u001b[1m4. Next\u001b[0m"]);
  expect(() => excerpt(recording, "5. ", undefined)).toThrow('No line of the recording begins with "5. ".');
});

test("a picture keeps colours across lines, and no other control codes", () => {
  const texts = terminalPicture(excerpt(recording, "3. ", "4. ")).match(/<text x.*<\/text>/g);
  expect(texts?.map((text) => text.replace(/ y="[^"]*"/, ""))).toEqual([
    '<text x="18"><tspan class="b">3. Now</tspan></text>',
    '<text x="18">$ terraform</text>',
    '<text x="18"><tspan fill="#7ee787">done</tspan></text>',
    '<text x="18"><tspan fill="#7ee787">still green</tspan> &lt;&amp;&gt;</text>',
  ]);
});
