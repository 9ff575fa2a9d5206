import { definitions, Failure, int, string } from "terraform-provider-proxmox/framework";

/** What every hook receives as `api`: a small HTTP API. An object that does not exist is null. */
export class Shelf {
  url = "";

  async call<T>(method: string, path: string, signal: AbortSignal, body?: object): Promise<T | null> {
    const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const response = await fetch(new URL(path, this.url), { method, signal, ...sent });
    if (response.status === 404) return null;
    if (!response.ok) throw new Failure(`The shelf refused ${method} ${path}`, await response.text());
    return (await response.json()) as T;
  }
}

const { defineProvider, defineResource } = definitions<Shelf>();

type Book = { id: string; title: string; language: string | null; pages: number | null };

const book = defineResource({
  type: "shelf_book",
  doc: "A book on the shelf.",
  identity: ["id"], // also the import ID
  attributes: {
    id: { type: string(), mode: "computed", keep: true, doc: "Chosen by the shelf." },
    title: { type: string(), mode: "required", doc: "Its title." },
    language: { type: string(), mode: "optional", replace: true, doc: "Another language is another book." },
    pages: { type: int({ min: 1 }), mode: "optional", doc: "How many pages it has." },
  },
  async create({ api, desired, signal }) {
    const made = await api.call<Book>("POST", "/books", signal, desired);
    if (made === null) throw new Failure("This is not a shelf", "POST /books does not exist there. Check `url`.");
    return { id: made.id };
  },
  read: ({ api, id, signal }) => api.call<Book>("GET", `/books/${id.id}`, signal), // null: it no longer exists
  update: async ({ api, id, desired, signal }) => void (await api.call("PUT", `/books/${id.id}`, signal, desired)),
  delete: async ({ api, id, signal }) => void (await api.call("DELETE", `/books/${id.id}`, signal)),
});

export const provider = defineProvider({
  name: "shelf",
  doc: "Manages the books of a shelf.",
  attributes: { url: { type: string(), mode: "optional", doc: "Address of the API. Environment: `SHELF_URL`." } },
  resources: { shelf_book: () => book },
  configure({ config }) {
    if (config.url === undefined) return undefined; // known after apply: plans are made without the API
    const url = config.url ?? process.env["SHELF_URL"];
    if (!url) throw new Failure("No address", "Set `url` in the provider block, or SHELF_URL.", { path: "url" });
    return Object.assign(new Shelf(), { url });
  },
  diagnose: (error) =>
    error instanceof TypeError && error.message === "fetch failed"
      ? { summary: "The shelf cannot be reached", detail: String((error.cause as Error | undefined)?.message) }
      : undefined,
});
