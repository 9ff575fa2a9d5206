import { storageConfigEndpoints } from "./config.ts";
import { storageContentEndpoints } from "./content.ts";
import { storageStatusEndpoints } from "./status.ts";
import { fileTransferEndpoints } from "./transfer.ts";
import { volumeEndpoints } from "./volume-endpoints.ts";

export const storageEndpoints = [
  ...storageConfigEndpoints,
  ...storageStatusEndpoints,
  ...storageContentEndpoints,
  ...volumeEndpoints,
  ...fileTransferEndpoints,
];
