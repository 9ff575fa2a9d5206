import type { ConfigSection } from "./section.ts";

export interface AcmeAccount {
  contact: string[];
  directory: string;
  location: string;
  tos?: string;
  createdAt: string;
}

export interface Acme {
  /** By name. */
  accounts: Record<string, AcmeAccount>;
  /** plugins.cfg by id; `standalone` always exists. */
  plugins: Record<string, ConfigSection>;
}
