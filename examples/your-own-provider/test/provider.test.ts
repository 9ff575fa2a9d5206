import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startShelf } from "./shelf-server.ts";
import { binary, Workspace } from "./terraform.ts";

const skip = binary === undefined && "neither terraform nor tofu is installed";
let shelf: Awaited<ReturnType<typeof startShelf>>;
let workspace: Workspace;

before(async () => {
  shelf = await startShelf();
  workspace = new Workspace({ SHELF_URL: shelf.url });
});
after(() => {
  shelf.close();
  workspace.remove();
});

const book = (arguments_: string) => `resource "shelf_book" "a" {\n${arguments_}\n}\n`;

async function succeeds(run: Promise<{ code: number; output: string }>, code = 0): Promise<string> {
  const result = await run;
  assert.equal(result.code, code, result.output);
  return result.output;
}

test("a book is created, changed in place, replaced, imported and removed", { skip }, async () => {
  workspace.configure(book('title = "Walden"\npages = 300'));
  await succeeds(workspace.apply());
  assert.deepEqual([...shelf.books.values()], [{ title: "Walden", language: null, pages: 300, id: "1" }]);
  await succeeds(workspace.plan());

  workspace.configure(book('title = "Walden"'));
  assert.match(await succeeds(workspace.apply()), /0 added, 1 changed, 0 destroyed/);
  assert.equal(shelf.books.get("1")?.["pages"], null);

  workspace.configure(book('title = "Walden"\nlanguage = "de"'));
  assert.match(await succeeds(workspace.apply()), /1 added, 0 changed, 1 destroyed/);
  assert.deepEqual([...shelf.books.keys()], ["2"]);

  await succeeds(workspace.run("state", "rm", "shelf_book.a"));
  await succeeds(workspace.run("import", "shelf_book.a", "2"));
  await succeeds(workspace.plan());

  await succeeds(workspace.destroy());
  assert.equal(shelf.books.size, 0);
});

test("a book that was changed or removed elsewhere is planned again", { skip }, async () => {
  workspace.configure(book('title = "Walden"'));
  await succeeds(workspace.apply());
  const [id = ""] = shelf.books.keys();
  shelf.books.set(id, { ...shelf.books.get(id), title: "Other" });
  assert.match(await succeeds(workspace.plan(), 2), /"Other" -> "Walden"/);
  shelf.books.clear();
  assert.match(await succeeds(workspace.plan(), 2), /1 to add/);
});

test("mistakes are reported with the attribute, and an API that is down in words", { skip }, async () => {
  workspace.configure(book('title = "Walden"\npages = 0'));
  assert.match(await succeeds(workspace.plan(), 1), /pages/);
  workspace.configure(`provider "shelf" {\n  url = "http://127.0.0.1:1"\n}\n${book('title = "Walden"')}`);
  assert.match((await workspace.apply()).output, /The shelf cannot be reached/);
});
