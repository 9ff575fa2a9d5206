/**
 * `npm run picture -- RECORDING PICTURE [--from TEXT] [--to TEXT]`: the output of a terminal as an SVG. From the first
 * line that begins with one text to the line before the next that begins with the other. The one in the README:
 *
 *     npm run -s build
 *     script --quiet --command 'stty cols 110; dist/terraform-provider-proxmox demo' /tmp/demo.txt
 *     npm run -s picture -- /tmp/demo.txt docs/images/demo.svg --from '3. ' --to '4. '
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { escapeXml } from "../src/cli/timeline/escape.ts";

const colours: Readonly<Record<number, string>> = {
  30: "#5c6773",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  37: "#e6edf3",
};

const [ground, text, bar] = ["#0d1117", "#c9d1d9", "#161b22"];
const letter = { size: 13, width: 7.85, height: 18 };
const margin = { side: 18, top: 44, bottom: 18 };

interface Look {
  readonly colour: string | undefined;
  readonly isBold: boolean;
}

const plainLook: Look = { colour: undefined, isBold: false };

/** The picture of lines with colours. */
export function terminalPicture(lines: readonly string[]): string {
  const columns = Math.max(60, ...lines.map((line) => [...withoutCodes(line)].length));
  const width = Math.ceil(columns * letter.width + 2 * margin.side);
  const height = margin.top + lines.length * letter.height + margin.bottom;
  let look = plainLook;
  const rows = lines.map((line, index) => {
    const y = margin.top + (index + 0.8) * letter.height;
    const { spans, next } = spansOf(line, look);
    look = next;
    return spans === "" ? "" : `<text x="${margin.side}" y="${round(y)}">${spans}</text>`;
  });
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${20 + index * 20}" cy="15" r="6" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<style>text{font:${letter.size}px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:${text};white-space:pre}.b{font-weight:700}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${ground}"/>`,
    `<path d="M0 30V8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v22z" fill="${bar}"/>`,
    ...dots,
    ...rows.filter((row) => row !== ""),
    "</svg>",
    "",
  ].join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes consist of them
const colourCode = /\u001b\[([\d;]*)m/;

/** One line as spans, and the style at its end. */
function spansOf(line: string, begun: Look): { spans: string; next: Look } {
  let look = begun;
  // The captured groups are at every second index.
  const spans = line.split(colourCode).map((part, index) => {
    if (index % 2 === 0) return span(withoutCodes(part), look);
    for (const code of part.split(";").map(Number)) look = changed(look, code);
    return "";
  });
  return { spans: spans.join(""), next: look };
}

function changed(look: Look, code: number): Look {
  if (code === 0) return plainLook;
  if (code === 1) return { ...look, isBold: true };
  if (code === 22) return { ...look, isBold: false };
  if (code === 39) return { ...look, colour: undefined };
  const colour = colours[code >= 90 ? code - 60 : code];
  return colour === undefined ? look : { ...look, colour };
}

function span(content: string, { colour, isBold }: Look): string {
  if (content === "") return "";
  const attributes = `${colour === undefined ? "" : ` fill="${colour}"`}${isBold ? ' class="b"' : ""}`;
  return attributes === "" ? escapeXml(content) : `<tspan${attributes}>${escapeXml(content)}</tspan>`;
}

/** Without colours and other control codes. */
const withoutCodes = (line: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: codes consist of them
  line.replace(/\u001b\[[\d;?]*[a-zA-Z]|\u001b\][^\u0007]*\u0007|[\u0000-\u0008\u000b-\u001f]/g, "");

const round = (value: number): number => Math.round(value * 10) / 10;

/** The lines from the one that begins with `from` to the one before `to`. */
export function excerpt(recording: string, from: string | undefined, to: string | undefined): string[] {
  const lines = recording.split("\n").map((line) => line.replace(/\r$/, ""));
  const begins = (start: string) => (line: string) => withoutCodes(line).startsWith(start);
  const first = from === undefined ? 0 : lines.findIndex(begins(from));
  if (first < 0) throw new Error(`No line of the recording begins with ${JSON.stringify(from)}.`);
  const after = to === undefined ? -1 : lines.findIndex((line, index) => index > first && begins(to)(line));
  const shown = lines.slice(first, after < 0 ? undefined : after);
  return shown.slice(0, shown.findLastIndex((line) => withoutCodes(line).trim() !== "") + 1);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: "string" }, to: { type: "string" } },
  });
  const [recording = "", picture = ""] = positionals;
  writeFileSync(picture, terminalPicture(excerpt(readFileSync(recording, "utf8"), values.from, values.to)));
  process.stderr.write(`wrote ${picture}\n`);
}
