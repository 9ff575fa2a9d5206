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

/** The environment of the provider of a copy: without the user's own settings, which must not reach it. */
export const copyEnvironment = (copy: Copy, env: Readonly<Record<string, string | undefined>>) => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:PROXMOX_VE_|PM_)/.test(name))),
  [copyVariable]: JSON.stringify(copy),
  PROXMOX_VE_CLUSTER_CHECK: "off",
});
