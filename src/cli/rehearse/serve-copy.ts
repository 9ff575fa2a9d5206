import { isStartedByOpenTofu, serve } from "#plugin";
import { sourceAddress } from "../../source-address.ts";

/** How a process that serves Terraform finds the copy. */
export const copyVariable = "PROXMOX_REHEARSAL_COPY";

/** The copy, and the caller there. */
export interface Copy {
  readonly endpoint: string;
  readonly caCertificate: string;
  readonly token: string;
  /** Set where the caller has the password of root@pam beside a token. */
  readonly rootPassword: string | null;
}

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

/** Serves a provider that talks to the copy, whatever a configuration names. Resolves when it is ended. */
export async function serveCopy(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const copy = JSON.parse(env[copyVariable] ?? "{}") as Copy;
  const [{ createServer }, { provider }, { openLog }, { version }] = await Promise.all([
    import("#framework"),
    import("../../provider.ts"),
    import("../../log/open.ts"),
    import("../version.ts"),
  ]);
  const log = await openLog({ env: process.env, version });
  const redirected: typeof provider = {
    ...provider,
    validate: () => {},
    configure: (context) =>
      provider.configure({
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
  return serve({
    address: sourceAddress,
    log,
    argv: ["--debug"],
    createServer: () =>
      createServer(redirected, { address: sourceAddress, log, onSecret: log.hide, isOpenTofu: isStartedByOpenTofu }),
  });
}
