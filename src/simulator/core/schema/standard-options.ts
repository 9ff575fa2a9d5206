import {
  configIdFormat,
  nodeFormat,
  startupOrderFormat,
  storageIdFormat,
  storagePairListFormat,
  vmidFormat,
} from "./formats.ts";
import { boolean, integer, string } from "./schema.ts";

// PVE::JSONSchema's standard options: parameters of many endpoints.

export const node = string({ format: nodeFormat });
export const vmid = integer({ format: vmidFormat, minimum: 100, maximum: 999_999_999 });
export const storageId = string({ format: storageIdFormat });
export const snapshotName = string({ format: configIdFormat, maxLength: 40 });
/** SHA-1 (40) or SHA-256 (64) of a configuration file; some guest endpoints declare a maximum of 40. */
export const digest = string({ optional: true, maxLength: 64 });
export const skipLock = boolean({ optional: true });
export const targetStorage = string({ optional: true, format: storagePairListFormat });
export const startupOrder = string({ optional: true, format: startupOrderFormat });
