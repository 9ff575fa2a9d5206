import { type RequestHandler, reset } from "./connection.ts";
import { MemoryReader } from "./memory-reader.ts";

/**
 * Answers a request without a connection, for callers in the same process. A connection that would be reset is a
 * network error.
 */
export async function answerFetch(handle: RequestHandler, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const headers = new Map([...request.headers].map(([name, value]) => [name.toLowerCase(), value]));
  if (body.length > 0) {
    headers.set("content-length", String(body.length));
  }
  const answer = await handle({
    head: {
      method: request.method,
      target: pathname + search,
      path: decodeURIComponent(pathname),
      query: search.replace(/^\?/, ""),
      version: "HTTP/1.1",
      headers,
    },
    peer: "127.0.0.1",
    reader: new MemoryReader(body),
  });
  if (answer === reset || "stream" in answer) {
    return Response.error();
  }
  const statusText = (answer.reason ?? "").split(/[\r\n]/, 1)[0] ?? "";
  const content = typeof answer.body === "string" ? answer.body : answer.body && new Uint8Array(answer.body);
  return new Response(content ?? null, {
    status: answer.status,
    statusText: statusText.replace(/[^\t\x20-\xff]/g, "?"),
    headers: answer.headers ?? {},
  });
}
