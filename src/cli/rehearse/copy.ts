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
