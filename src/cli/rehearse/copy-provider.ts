import { provider as real } from "../../provider.ts";
import { type Copy, copyVariable } from "./copy.ts";

const copy = JSON.parse(process.env[copyVariable] ?? "{}") as Copy;

/** Settings of a provider block that say where the cluster is and who calls. */
const elsewhere = {
  endpoints: null,
  username: null,
  password: null,
  otp: null,
  totp_secret: null,
  tls_fingerprint: null,
  insecure: null,
};

/** The provider, which talks to the copy whatever a configuration names. */
export const provider: typeof real = {
  ...real,
  validate: () => {},
  configure: (context) =>
    real.configure({
      ...context,
      config: {
        ...context.config,
        ...elsewhere,
        endpoint: copy.endpoint,
        api_token: copy.token,
        ca_certificate: copy.caCertificate,
        ...(copy.rootPassword === null ? {} : { username: "root@pam", password: copy.rootPassword }),
      },
    }),
};
