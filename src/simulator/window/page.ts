/*
 * The page at /simulator/. One document without a framework: styles, markup and a script that fills tables from
 * server-sent events. Names of guests come from users of the cluster, so texts are only set as text.
 */

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 18%, transparent); --good: #1a7f37; --busy: #9a6700; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --busy: #d29922; --bad: #f85149; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem 1.5rem; font: 14px/1.45 system-ui, sans-serif; }
header { display: flex; gap: 1rem; align-items: baseline; flex-wrap: wrap; }
h1 { font-size: 1.25rem; margin: 0; }
h2 { font-size: .95rem; margin: 0 0 .4rem; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem; margin-top: 1rem; }
section { border: 1px solid var(--line); border-radius: 6px; padding: .75rem; min-width: 0; }
.scroll:focus-visible { outline: 2px solid Highlight; outline-offset: 2px; }
.scroll { max-height: 19rem; overflow: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .15rem .5rem .15rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; position: sticky; top: 0; background: Canvas; }
.good { color: var(--good); } .busy { color: var(--busy); } .bad { color: var(--bad); }
.calls { font: 12px/1.5 ui-monospace, monospace; margin: 0; padding: 0; list-style: none; }
#connection { margin-left: auto; }
`;

const script = `
const columns = {
  nodes: ["name", "address", "guests", "state"],
  guests: ["vmid", "kind", "name", "node", "status", "detail"],
  storages: ["name", "type", "content", "volumes"],
  networks: ["name", "type", "where"],
  tasks: ["type", "id", "node", "user", "status"],
};
const tone = (id, text) =>
  id === "tasks" && /^(running|starting|WARNINGS.*)$/.test(text) ? "busy"
  : /^(online|running|OK)$/.test(text) ? "good"
  : /^(stopped|)$/.test(text) ? ""
  : /^(clone|backup|migrate|create)$/.test(text) ? "busy" : "bad";
const cell = (name, text) => {
  const element = document.createElement(name);
  element.textContent = String(text ?? "");
  return element;
};
const fill = (id, rows) => {
  const body = document.querySelector("#" + id + " tbody");
  body.replaceChildren(...rows.map((row) => {
    const line = document.createElement("tr");
    for (const column of columns[id]) {
      const element = cell("td", row[column]);
      if (column === "status" || column === "state") {
        element.className = tone(id, String(row[column]));
      }
      line.append(element);
    }
    return line;
  }));
  document.querySelector("#" + id + " .count").textContent = rows.length;
};
for (const [id, names] of Object.entries(columns)) {
  document.querySelector("#" + id + " thead tr").replaceChildren(...names.map((name) => {
    const head = cell("th", name);
    head.scope = "col";
    return head;
  }));
}
const connection = document.querySelector("#connection");
const calls = document.querySelector("#calls ul");
let total = 0;
const events = new EventSource("events");
events.onopen = () => { connection.textContent = "live"; connection.className = "good"; };
events.onerror = () => { connection.textContent = "not connected"; connection.className = "bad"; };
events.addEventListener("view", ({ data }) => {
  const view = JSON.parse(data);
  document.querySelector("#cluster").textContent = view.cluster;
  fill("nodes", view.nodes.map((node) => ({ ...node, state: node.isOnline ? "online" : "offline" })));
  for (const id of ["guests", "storages", "networks", "tasks"]) fill(id, view[id]);
});
events.addEventListener("call", ({ data }) => {
  const { method, path, status, seconds } = JSON.parse(data);
  const line = cell("li", status + " " + method + " " + path + "  " + Math.round(seconds * 1000) + " ms");
  if (status >= 400) line.className = "bad";
  calls.prepend(line);
  while (calls.children.length > 200) calls.lastChild.remove();
  document.querySelector("#calls .count").textContent = ++total;
});
`;

const table = (id: string, title: string) => `
<section id="${id}">
  <h2 id="${id}-title">${title} (<span class="count">0</span>)</h2>
  <div class="scroll" role="region" tabindex="0" aria-labelledby="${id}-title"><table><thead><tr></tr></thead><tbody></tbody></table></div>
</section>`;

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Proxmox VE simulator</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<header>
  <h1>Proxmox VE simulator: <span id="cluster"></span></h1>
  <span id="connection" role="status">connecting</span>
</header>
<main>
${table("tasks", "Tasks")}
<section id="calls">
  <h2 id="calls-title">Calls (<span class="count">0</span>)</h2>
  <div class="scroll" role="region" tabindex="0" aria-labelledby="calls-title"><ul class="calls"></ul></div>
</section>
${table("guests", "Guests")}
${table("nodes", "Nodes")}
${table("storages", "Storages")}
${table("networks", "Networks")}
</main>
<script>${script}</script>
</body>
</html>
`;
