import { expect, test } from "vitest";
import { percentIn } from "../../../src/pve/single-texts.ts";

test.each<[string, string[], number | undefined]>([
  ["a full clone", ["transferred 1.0 GiB of 32.0 GiB (3.12%)", "transferred 3.2 GiB of 32.0 GiB (10.00%)"], 10],
  ["a moved disk", ["drive-scsi0: transferred 5.0 GiB of 10.0 GiB (50.00%) in 12s, still busy"], 50],
  ["a backup", ["INFO:  12% (3.9 GiB of 32.0 GiB) in 9s, read: 444.1 MiB/s, write: 120.2 MiB/s"], 12],
  ["a restore", ["progress 35% (read 12025856000 bytes, duration 8 sec)"], 35],
  ["a download", ["32768K ........ ........ ........ ........  5% 12.3M 30s"], 5],
  ["the last line that has one", ["transferred 1.0 GiB of 2.0 GiB (50.00%)", "done"], 50],
  ["other percentages", ["space reduction due to 4K zero blocks 0%", "zero data: 12% of it"], undefined],
  ["an empty log", [], undefined],
])("%s", (_, lines, expected) => expect(percentIn(lines)).toBe(expected));
