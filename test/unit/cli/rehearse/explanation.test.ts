import { expect, it } from "vitest";
import { explanation } from "../../../../src/cli/run-terraform.ts";

const plain = `Error: Invalid value

  with proxmox_user.u,
  on main.tf line 21, in resource "proxmox_user" "u":
  21:   password = "S3CRET"

password is not valid.
`;

const framed = `\u001b[31m╷\u001b[0m\u001b[0m
\u001b[31m│\u001b[0m \u001b[0m\u001b[1m\u001b[31mError: \u001b[0mInvalid value
\u001b[31m│\u001b[0m   on main.tf line 21:
\u001b[31m│\u001b[0m   21:   password = \u001b[4m"S3CRET"\u001b[0m
\u001b[31m╵\u001b[0m\u001b[0m
`;

it.each([
  ["without colours", plain, "password is not valid."],
  ["in a frame", framed, "on main.tf line 21"],
])("what Terraform says is shown without lines of the configuration: %s", (_, text, kept) => {
  const shown = explanation(text);
  expect(shown).toContain("Error: Invalid value");
  expect(shown).toContain(kept);
  for (const hidden of ["S3CRET", "\u001b", "│"]) expect(shown).not.toContain(hidden);
});
