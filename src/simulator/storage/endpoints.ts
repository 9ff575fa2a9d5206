import { applianceEndpoints } from "./appliances.ts";
import { storageConfigEndpoints } from "./config.ts";
import { storageContentEndpoints } from "./content.ts";
import { storageDetailEndpoints } from "./details.ts";
import { importMetadataEndpoint } from "./import-metadata.ts";
import { ociEndpoints } from "./oci.ts";
import { storageStatusEndpoints } from "./status.ts";
import { fileTransferEndpoints } from "./transfer.ts";
import { volumeEndpoints } from "./volume-endpoints.ts";

export const storageEndpoints = [
  ...storageConfigEndpoints,
  ...storageStatusEndpoints,
  ...storageContentEndpoints,
  ...volumeEndpoints,
  ...fileTransferEndpoints,
  importMetadataEndpoint,
  ...storageDetailEndpoints,
  ...ociEndpoints,
  ...applianceEndpoints,
];
