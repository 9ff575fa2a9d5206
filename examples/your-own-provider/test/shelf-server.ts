import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The API that the provider manages, in memory. Tests look at `books` and change them behind Terraform's back. */
export async function startShelf() {
  const books = new Map<string, Record<string, unknown>>();
  let last = 0;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const body = JSON.parse((await Array.fromAsync(request)).join("") || "{}") as Record<string, unknown>;
    const id = request.url?.split("/")[2];
    if (request.method === "POST") {
      const made = { ...body, id: String(++last) };
      books.set(made.id, made);
      return answer(200, made);
    }
    const known = books.get(id ?? "");
    if (!known) return answer(404, null);
    if (request.method === "PUT") books.set(known["id"] as string, { ...body, id });
    if (request.method === "DELETE") books.delete(known["id"] as string);
    return answer(200, known);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return { books, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
