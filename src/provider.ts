import { clusterIdentity, defineProvider, diagnose, endStaged, openSession, reachCluster, warnOfFailOver } from "#kit";
import { version } from "./cli/version.ts";
import { logSettingProblems } from "./log/setting-problems.ts";
import { providerSettings, sessionSettings } from "./provider-settings.ts";
import { registry } from "./registry.ts";
import { warnOfUnfinished } from "./resources/guest/warn-unfinished.ts";

/** The provider's definition. */
export const provider = defineProvider({
  name: "proxmox",
  doc: "Manages Proxmox VE 9: virtual machines, containers, storages, backups, networks, firewalls, access, nodes and the cluster.",
  attributes: providerSettings,
  ...registry,

  validate({ config, report }) {
    if (config.endpoint && config.endpoints) {
      report.error("endpoints", "Conflicting endpoints", "Give either `endpoint` or `endpoints`, not both.");
    }
    if (config.api_token && config.username && config.username !== "root@pam") {
      report.error(
        "username",
        "Conflicting credentials",
        "Beside `api_token`, only `root@pam` can be given: for what Proxmox VE reserves for that user. Remove one of them.",
      );
    }
    if (config.tls_fingerprint && config.insecure) {
      report.error(
        "insecure",
        "Conflicting trust",
        "A pinned `tls_fingerprint` and `insecure = true` contradict each other.",
      );
    }
  },

  /** Undefined while a setting is not known yet: plans are then made without reading the cluster. */
  async configure({ config, report, log, conceal, terraformVersion }) {
    if (Object.values(config).some((setting) => setting === undefined)) return undefined;
    if (config.insecure) {
      report.warning(
        "insecure",
        "TLS certificates are not verified",
        "An attacker between this machine and the cluster can read and change all traffic, including the credentials.",
      );
    }
    for (const { summary, detail } of logSettingProblems(process.env)) report.warning(null, summary, detail);
    const userAgent = `terraform-provider-proxmox/${version} (Terraform ${terraformVersion})`;
    const session = await openSession(sessionSettings(config), { environment: process.env, log, conceal, userAgent });
    await reachCluster(
      session,
      Object.values(config).every((setting) => setting === null),
    );
    warnOfFailOver(session, report);
    if (session.settings.planChecks !== "off") await warnOfUnfinished(session, report);
    return session;
  },

  origin: clusterIdentity,

  end: endStaged,

  diagnose,
});
