import type { Row } from "./row.ts";

const hosts = (more: string) => `127.0.0.1 localhost\n192.0.2.11 pve1.example.com pve1\n${more}`;

const transport = (option: string): Row["values"] => ({
  [option]: [{ type: "insecure" }, { type: "secure", network: "10.0.0.0/24" }],
});

/** Settings, with two values for each; members of a group are changed together where one requires the other. */
export const settingsRows: readonly Row[] = [
  {
    type: "proxmox_cluster_options",
    base: {},
    values: {
      description: ["first\nlines", "second"],
      consent_text: ["first", "second"],
      console: ["html5", "xtermjs"],
      language: ["de", "pt_BR"],
      keyboard: ["de", "en-us"],
      email_from: ["pve@example.com", "other@example.com"],
      http_proxy: ["http://proxy.example.com:3128", "http://10.0.0.1"],
      mac_prefix: ["AA:BB:CC", "02"],
      max_workers: [2, 8],
      fencing: ["both", "watchdog"],
      ha: [{ shutdown_policy: "migrate" }, { shutdown_policy: "freeze" }],
      "crs.ha": ["static", "dynamic"],
      "crs.ha_rebalance_on_start": [true, false],
      "crs.ha_auto_rebalance": [true, false],
      crs: [
        { ha_auto_rebalance: true, ha_auto_rebalance_threshold: 20, ha_auto_rebalance_margin: 5 },
        { ha_auto_rebalance: true, ha_auto_rebalance_method: "topsis", ha_auto_rebalance_hold_duration: 4 },
      ],
      ...transport("migration"),
      ...transport("replication"),
      "bandwidth_limits.default": [1000, 0],
      "bandwidth_limits.clone": [2000, 1],
      "bandwidth_limits.migration": [3000, 1],
      "bandwidth_limits.move": [4000, 1],
      "bandwidth_limits.restore": [5000, 1],
      "next_id.lower": [200, 300],
      "next_id.upper": [5000, 6000],
      location: [
        { latitude: 48.2, longitude: 16.4 },
        { latitude: -33.9, longitude: 151.2, name: "Site 2" },
      ],
      registered_tags: [["prod"], ["test", "prod"]],
      "user_tag_access.user_allow": ["list", "existing"],
      "user_tag_access.user_allow_list": [["web"], ["web", "db"]],
      "tag_style.shape": ["full", "none"],
      "tag_style.ordering": ["config", "alphabetical"],
      "tag_style.case_sensitive": [true, false],
      "tag_style.color_map": [{ prod: "ff0000" }, { prod: "ff0000:ffffff", web: "00ff00" }],
      "webauthn.id": ["pve.example.com", "example.com"],
      "webauthn.origin": ["https://pve.example.com", "https://example.com"],
      "webauthn.rp": ["Example", "Example Company"],
      "webauthn.allow_subdomains": [false, true],
      "u2f.appid": ["https://pve.example.com", "https://example.com"],
      "u2f.origin": ["https://pve.example.com", "https://example.com"],
      "notify.package_updates": ["never", "always"],
      "notify.target_package_updates": ["mail-to-root", "other"],
      "notify.fencing": ["never", "always"],
      "notify.target_fencing": ["mail-to-root", "other"],
      "notify.replication": ["never", "always"],
      "notify.target_replication": ["mail-to-root", "other"],
    },
  },
  {
    type: "proxmox_node_config",
    base: { node: "pve1" },
    values: {
      description: ["first\nlines", "second"],
      startall_onboot_delay: [30, 0],
      ballooning_target: [60, 0],
      location: [
        { latitude: 48.2, longitude: 16.4 },
        { latitude: -33.9, longitude: 151.2, name: "Rack 7" },
      ],
      wake_on_lan: [
        { mac: "bc:24:11:00:00:01" },
        { mac: "BC:24:11:00:00:02", bind_interface: "vmbr0", broadcast_address: "192.0.2.255" },
      ],
    },
  },
  {
    type: "proxmox_node_dns",
    base: { node: "pve2", search_domain: "example.com", servers: ["192.0.2.53"] },
    values: {
      search_domain: ["lab.example.com", "other.example.com"],
      servers: [
        ["192.0.2.54", "2001:db8::53"],
        ["192.0.2.1", "192.0.2.2", "192.0.2.3"],
      ],
    },
  },
  {
    type: "proxmox_node_hosts",
    base: { node: "pve1", content: hosts("") },
    values: { content: [hosts("192.0.2.99 nas\n"), hosts("# storage\n192.0.2.98 nas nas.example.com\n")] },
  },
  {
    type: "proxmox_node_time",
    base: { node: "pve1", time_zone: "Europe/Vienna" },
    values: { time_zone: ["Europe/Berlin", "Etc/UTC"] },
  },
];
