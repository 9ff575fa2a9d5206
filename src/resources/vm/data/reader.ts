import type { GuestReader } from "../../guest/data/reader.ts";
import { vmBase } from "../base.ts";
import { configuredAddresses } from "../outputs.ts";
import { addressesOf } from "./addresses.ts";

export const vmReader: GuestReader = {
  ...vmBase,
  draft: (api, config) => api.draft(config),
  configuredAddresses,
  addressesOf,
};
