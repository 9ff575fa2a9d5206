import { isConnectionRefused } from "../core/kernel/connect.ts";
import { die } from "../core/kernel/failure.ts";

/** The directories that PVE offers (pve-manager `PVE/API2/ACMEAccount.pm`). */
export const directories = [
  { name: "Let's Encrypt V2", url: "https://acme-v02.api.letsencrypt.org/directory" },
  { name: "Let's Encrypt V2 Staging", url: "https://acme-staging-v02.api.letsencrypt.org/directory" },
];
export const defaultDirectory = "https://acme-v02.api.letsencrypt.org/directory";

/** Every certificate authority outside this machine is simulated: it answers and grants every request. */
export async function askAuthority(directory: string): Promise<{ termsOfService: string }> {
  const url = URL.parse(directory);
  const port = Number(url?.port || (url?.protocol === "http:" ? 80 : 443));
  if (url === null || (await isConnectionRefused(url.hostname, port))) {
    die(`Error: GET to ${directory}`);
  }
  return { termsOfService: new URL("/terms", directory).href };
}
