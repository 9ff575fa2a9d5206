import { expect, test } from "vitest";
import { isDestroyCommand } from "../../../src/kit/terraform-command.ts";

test.each<[string, boolean]>([
  ["terraform destroy", true],
  ["/usr/local/bin/tofu -chdir=lab destroy -auto-approve", true],
  ["terraform_1.15.0 apply -destroy", true],
  ["terraform plan --destroy -out=plan", true],
  ["terraform plan -destroy=true", true],
  ["terraform apply -destroy=false", false],
  ["terraform apply", false],
  ["terraform plan -target=proxmox_vm.destroy", false],
  ["terraform workspace delete destroy", false],
  ["bash destroy", false],
  ["", false],
])("%s: %s", (line, expected) => {
  expect(isDestroyCommand(line.split(" "))).toBe(expected);
});
