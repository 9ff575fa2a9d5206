/** Colours of known steps, for the light and the dark theme. */
const stepColours: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  queue: ["#a8b1bd", "#5b6572"],
  clone: ["#2f6fde", "#5a93f5"],
  create: ["#2f6fde", "#5a93f5"],
  stabilise: ["#1899b8", "#35b9d6"],
  config: ["#7a4fd6", "#9d7bf0"],
  "cloud-init": ["#5b5bd6", "#8686f2"],
  resize: ["#c77700", "#e69a2e"],
  move: ["#b3541e", "#d9773f"],
  start: ["#2b8a3e", "#4dae62"],
  agent: ["#0c8577", "#2fb3a4"],
  ha: ["#6a8a12", "#94b53a"],
  migrate: ["#c2417c", "#e0699f"],
  stop: ["#8a6d5b", "#b0917d"],
  destroy: ["#b42318", "#e5534b"],
};

const otherColour = ["#66707d", "#8b96a5"] as const;

/** Only names from the table become classes: a step's name comes from a file. */
export const classOf = (step: string): string => (Object.hasOwn(stepColours, step) ? `s-${step}` : "s-other");

/** In the order of a VM's life cycle, unknown steps last. */
export function inOrder(steps: readonly string[]): string[] {
  const known = Object.keys(stepColours);
  const place = (step: string) => (known.includes(step) ? known.indexOf(step) : known.length);
  return [...new Set(steps)].sort((one, other) => place(one) - place(other));
}

const variables = {
  ground: ["#ffffff", "#14181d"],
  panel: ["#f5f7f9", "#1b2027"],
  text: ["#1c2430", "#e4e8ee"],
  muted: ["#5d6878", "#98a3b3"],
  line: ["#dfe4ea", "#2c343e"],
  alert: ["#c4231a", "#ff6b61"],
  inside: ["#ffffff", "#0d1116"],
} as const;

const names = Object.entries({ ...variables, ...stepVariables() });

function stepVariables(): Record<string, readonly [string, string]> {
  const own = Object.entries(stepColours).map(([step, colours]) => [`s-${step}`, colours] as const);
  return { ...Object.fromEntries(own), "s-other": otherColour };
}

const declare = (side: 0 | 1): string => names.map(([name, colours]) => `--${name}:${colours[side]}`).join(";");

/** For a chart on its own, and for a page with charts in it. */
export const chartStyle = [
  `:root{color-scheme:light dark;${declare(0)}}`,
  `@media (prefers-color-scheme:dark){:root{${declare(1)}}}`,
  "svg text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:var(--text)}",
  "svg text.muted{fill:var(--muted)}svg text.small{font-size:11px}svg text.inside{font-size:10.5px;fill:var(--inside)}",
  ".ground{fill:var(--ground)}.stripe{fill:var(--panel)}.grid{stroke:var(--line);stroke-width:1}",
  ".failed{stroke:var(--alert);stroke-width:2}.unfinished{opacity:.55;stroke:var(--text);stroke-dasharray:4 3}",
  ".lock{fill:var(--ground);stroke:var(--alert);stroke-width:1.5;stroke-dasharray:3 2}.retry{fill:var(--alert)}",
  ".cross{stroke:var(--alert);stroke-width:2}",
  ...Object.keys(stepVariables()).map((name) => `.${name}{fill:var(--${name})}`),
].join("\n");

export const pageStyle = [
  "*{box-sizing:border-box}",
  "body{margin:0;background:var(--ground);color:var(--text);font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}",
  "main{max-width:1120px;margin:0 auto;padding:28px 24px 56px}",
  "h1{font-size:22px;margin:0 0 2px}h2{font-size:16px;margin:36px 0 10px}p{margin:4px 0}.note{color:var(--muted)}",
  ".facts{display:flex;flex-wrap:wrap;gap:10px;margin:18px 0 22px;padding:0;list-style:none}",
  ".facts li{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:8px 14px;min-width:104px}",
  ".facts b{display:block;font-size:19px;font-weight:600}.facts span{color:var(--muted);font-size:12.5px}.facts .bad b{color:var(--alert)}",
  ".chart{border:1px solid var(--line);border-radius:8px;overflow-x:auto}.chart svg{display:block;width:100%;min-width:720px;height:auto}",
  ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}",
  "th,td{text-align:right;padding:5px 10px;border-bottom:1px solid var(--line);white-space:nowrap}",
  "th{color:var(--muted);font-weight:500;font-size:12.5px}",
  "th:first-child,td:first-child,th.left,td.left{text-align:left}td.wrap{white-space:normal;overflow-wrap:anywhere}",
  "td code{font:12.5px ui-monospace,'DejaVu Sans Mono',monospace}td .key{display:inline-block;vertical-align:-1px;margin-right:8px}",
  ".bad{color:var(--alert)}footer{margin-top:40px;color:var(--muted);font-size:12.5px}",
].join("\n");
