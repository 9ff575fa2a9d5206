import { expect, test } from "vitest";
import { Decimal } from "../harness/index.ts";
import { describeOnEachBinary } from "./suite.ts";

describeOnEachBinary("values", ({ workspace }) => {
  test("of six megabytes are returned completely", async () => {
    using terraform = workspace(
      'resource "corner_blob" "a" {\n  content = file("content.txt")\n}\noutput "digest" {\n  value = sha256(corner_blob.a.content)\n}',
    );
    const content = "0123456789abcdef".repeat(6 * 65_536);
    terraform.write("content.txt", content);
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    expect(terraform.stored("blob")).toMatchObject([{ content }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  const numbers = [
    ["beyond 2^53", "9007199254740993"],
    ["beyond 64 bits", "123456789012345678901234567890"],
    ["negative and large", "-9223372036854775809"],
    ["a decimal no double holds", "0.1000000000000000055511151231257827"],
    ["tiny", "0.000000000000000000000000000001"],
    ["zero", "0"],
  ];
  test("that are numbers keep every digit", async () => {
    const digits = numbers.map(([, text]) => text);
    using terraform = workspace(
      `resource "corner_numbers" "a" {\n  exact = ${digits[0]}\n  many = [${digits.join(", ")}]\n  fraction = 0.1\n}`,
    );
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    const [stored] = terraform.stored("numbers") as { many: string[] }[];
    expect(stored?.many.map((text) => Decimal.from(text).text)).toEqual(digits);
    expect(terraform.read("terraform.tfstate")).toContain(digits[1]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    expect(await terraform.plan("-refresh=false"), "as the state has it").toMatchObject({ code: 0, changes: {} });
  });

  test("that no JavaScript number can hold are refused where one is needed", async () => {
    using terraform = workspace('resource "corner_numbers" "a" {\n  whole = 9007199254740993\n}');
    const { code, diagnostics } = await terraform.validate();
    expect(code).toBe(1);
    expect(diagnostics).toMatchObject([{ severity: "error" }]);
  });

  const everything = `
    resource "corner_shapes" "a" {
      flag    = true
      list    = ["b", "a", "b"]
      set     = [3, 1, 2, 3]
      map     = { "key with spaces" = "v", "ünïcödé" = "🙂" }
      lists   = [[1], [], [2, 3]]
      object  = { a = "x", b = 1 }
      tuple   = ["x", false]
      one     = { size = 1, colour = "red", tags = ["b", "a"] }
      several = [{ size = 1 }, { size = 2, colour = "blue" }]
      named   = { x = { size = 1 }, y = { size = 2, tags = [] } }
      any     = [{ size = 2 }, { size = 1, tags = ["t"] }]
    }`;
  test("of every shape are stored, changed and planned without changes", async () => {
    using terraform = workspace(everything);
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    terraform.configure(
      everything
        .replace("[3, 1, 2, 3]", "[2, 3, 1]")
        .replace('[{ size = 2 }, { size = 1, tags = ["t"] }]', '[{ size = 1, tags = ["t"] }, { size = 2 }]'),
    );
    expect(await terraform.plan(), "sets in another order").toMatchObject({ code: 0, changes: {} });
    terraform.configure(everything.replace("{ size = 2, tags = [] }", "{ size = 3 }").replace("flag    = true", ""));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("shapes")).toMatchObject([{ flag: null, named: { y: { size: 3, tags: null } } }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  /** The line that Terraform shows, and a part of the message. */
  const places = [
    [
      "in a list",
      'several = [\n    { size = 1 },\n    { size = 2, colour = "mauve" },\n  ]',
      4,
      'several[1].colour is "mauve".',
    ],
    [
      "in a map",
      'named = {\n    x = { size = 1 }\n    y = { size = 2, colour = "mauve" }\n  }',
      4,
      'named["y"].colour is "mauve".',
    ],
    ["in an object", 'flag = true\n  one = {\n    size = 1, colour = "mauve"\n  }', 3, 'one.colour is "mauve".'],
  ] as const;
  test.each(places)("that are invalid %s are refused with their position", async (_, body, line, place) => {
    using terraform = workspace(`resource "corner_shapes" "a" {\n  ${body}\n}`);
    const { diagnostics } = await terraform.validate();
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        summary: "Invalid value",
        detail: expect.stringContaining(place),
        range: { start: { line } },
      },
    ]);
    expect(diagnostics[0]?.detail).toContain('"red", "green", "blue"');
  });

  test("that are misspelt inside an object cause a warning, since Terraform drops them", async () => {
    using terraform = workspace('resource "corner_inheriting" "a" {\n  display = { knid = "vga" }\n}');
    const { code, diagnostics } = await terraform.validate();
    expect(code).toBe(0);
    expect(diagnostics).toMatchObject([
      { severity: "warning", summary: "Nothing is set", detail: expect.stringContaining("are kind, depth") },
    ]);
  });

  const slots = (second: string) =>
    `variable "more" {\n  type = bool\n}\nresource "corner_shapes" "a" {\n  named = {\n    x = { size = 1 }\n    y = ${second}\n  }\n}\n`;
  test("that are null in a map of objects count as absent", async () => {
    using terraform = workspace(slots("var.more ? { size = 2 } : null"));
    const more = (value: boolean) => ["-var", `more=${value}`];
    expect(await terraform.apply(...more(false))).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("shapes")).toMatchObject([{ named: { x: { size: 1 } } }]);
    expect(terraform.stored("shapes")[0]?.["named"]).not.toHaveProperty("y");
    expect(await terraform.plan(...more(false))).toMatchObject({ code: 0, changes: {} });
    expect(await terraform.apply(...more(true))).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("shapes")).toMatchObject([{ named: { y: { size: 2 } } }]);
    expect(await terraform.plan(...more(true))).toMatchObject({ code: 0, changes: {} });
    expect(await terraform.apply(...more(false))).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("shapes")[0]?.["named"]).not.toHaveProperty("y");
    expect(await terraform.plan(...more(false))).toMatchObject({ code: 0, changes: {} });
  });

  test("that are null from the beginning change nothing", async () => {
    using terraform = workspace('resource "corner_shapes" "a" {\n  named = { x = { size = 1 } }\n}');
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    terraform.configure('resource "corner_shapes" "a" {\n  named = { x = { size = 1 }, y = null }\n}');
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("of any type keep their type", async () => {
    const values = ['"text"', "true", "12.5", '["a", "b"]', '{ a = 1, b = ["x"] }', "null"];
    const resources = values.map((value, index) => `resource "corner_open" "v${index}" {\n  value = ${value}\n}\n`);
    using terraform = workspace(resources.join(""));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });

  test("that are unknown while planning are passed from one resource to the next", async () => {
    using terraform = workspace(`
      resource "corner_chained" "first" {
        input = "ore"
        ports = { net0 = { name = "uplink" }, net1 = {} }
      }
      resource "corner_chained" "second" {
        input = corner_chained.first.output
        ports = { (corner_chained.first.ports["net0"].name) = { name = corner_chained.first.ports["net1"].address } }
      }
      resource "corner_thing" "third" {
        name = "thing-\${corner_chained.second.output}"
      }
    `);
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("thing")).toMatchObject([{ name: "thing-made from made from ore" }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    terraform.write("main.tf", terraform.read("main.tf").replace('"ore"', '"iron"'));
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("thing")).toMatchObject([{ name: "thing-made from made from iron" }]);
  });

  test("that mean the same cause no change", async () => {
    using terraform = workspace('resource "corner_inheriting" "a" {\n  memory = "8G"\n}');
    await terraform.apply();
    terraform.configure('resource "corner_inheriting" "a" {\n  memory = "8192M"\n}');
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    terraform.configure('resource "corner_inheriting" "a" {\n  memory = "8193M"\n}');
    expect(await terraform.plan()).toMatchObject({ code: 2, changes: { "corner_inheriting.a": { action: "update" } } });
  });

  test("that are not configured are inherited, and never drift", async () => {
    using terraform = workspace('resource "corner_inheriting" "a" {\n  display = { depth = 24 }\n}');
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    const { values } = (await terraform.resources())["corner_inheriting.a"] ?? {};
    expect(values).toMatchObject({ cores: 2, memory: "2G", display: { kind: "serial", depth: 24 } });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    terraform.changeOutside("inheriting", { cores: 4 });
    expect((await terraform.plan()).changes).toEqual({});
    terraform.configure('resource "corner_inheriting" "a" {\n  cores = 3\n}');
    expect(await terraform.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(terraform.stored("inheriting")).toMatchObject([{ cores: 3 }]);
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
  });
});
