import { expect, test } from "vitest";
import { wiresOf } from "#kit";
import { settings } from "../../../../src/resources/vm/attributes.ts";
import { privilegeOfOption } from "../../../../src/resources/vm/plan/needs/option-privileges.ts";
import { isVolumeSlot } from "../../../../src/resources/vm/slots.ts";

/** qemu-server: src/PVE/API2/Qemu.pm refuses options without a rule to all users but root@pam. */
const reserved = ["affinity", "amd-sev", "arch", "args", "hookscript", "hugepages", "intel-tdx", "ivshmem"];
const alsoReserved = ["keephugepages", "spice_enhancements", "vmgenid"];

test("every option of a VM requires a privilege, except those reserved to root", () => {
  const options = wiresOf(settings).map(({ wire }) => wire.split("/")[0] ?? "");
  const plain = [...new Set(options)].filter((option) => !option.includes("{") && !isVolumeSlot(option));
  const withoutPrivilege = plain.filter((option) => privilegeOfOption(option) === null);
  expect(plain.length).toBeGreaterThan(40);
  expect(withoutPrivilege.filter((option) => ![...reserved, ...alsoReserved].includes(option))).toEqual([]);
  expect(reserved.filter((option) => privilegeOfOption(option) !== null)).toEqual([]);
});
