import { listObjects } from "#kit";

/** Objects of the configuration, each made from a definition: `terraform query` lists them by the same value. */
export const objects = {
  proxmox_backup_job: () => import("./resources/backup/backup-job.ts").then((m) => m.backupJob),
  proxmox_acme_account: () => import("./resources/acme/account.ts").then((m) => m.acmeAccount),
  proxmox_acme_plugin: () => import("./resources/acme/plugin.ts").then((m) => m.acmePlugin),
  proxmox_ceph_pool: () => import("./resources/ceph/pool.ts").then((m) => m.cephPool),
  proxmox_cpu_model: () => import("./resources/cluster/cpu-model.ts").then((m) => m.cpuModel),
  proxmox_group: () => import("./resources/access/group.ts").then((m) => m.group),
  proxmox_ha_resource: () => import("./resources/ha/ha-resource.ts").then((m) => m.haResource),
  proxmox_ha_rule: () => import("./resources/ha/ha-rule.ts").then((m) => m.haRule),
  proxmox_hardware_mapping: () => import("./resources/mapping/hardware-mapping.ts").then((m) => m.hardwareMapping),
  proxmox_metric_server: () => import("./resources/metrics/metric-server.ts").then((m) => m.metricServer),
  proxmox_notification_endpoint: () =>
    import("./resources/notifications/endpoint.ts").then((m) => m.notificationEndpoint),
  proxmox_notification_matcher: () => import("./resources/notifications/matcher.ts").then((m) => m.notificationMatcher),
  proxmox_pool: () => import("./resources/pool/pool.ts").then((m) => m.pool),
  proxmox_realm: () => import("./resources/access/realm/realm.ts").then((m) => m.realm),
  proxmox_realm_sync_job: () => import("./resources/access/realm/sync-job.ts").then((m) => m.realmSyncJob),
  proxmox_replication: () => import("./resources/replication/replication.ts").then((m) => m.replication),
  proxmox_role: () => import("./resources/access/role.ts").then((m) => m.role),
  proxmox_network_interface: () => import("./resources/network/interface.ts").then((m) => m.networkInterface),
  proxmox_sdn_controller: () => import("./resources/sdn/controller.ts").then((m) => m.sdnController),
  proxmox_sdn_dns: () => import("./resources/sdn/dns.ts").then((m) => m.sdnDns),
  proxmox_sdn_fabric: () => import("./resources/sdn/fabric.ts").then((m) => m.sdnFabric),
  proxmox_sdn_fabric_node: () => import("./resources/sdn/fabric-node.ts").then((m) => m.sdnFabricNode),
  proxmox_sdn_ipam: () => import("./resources/sdn/ipam.ts").then((m) => m.sdnIpam),
  proxmox_sdn_subnet: () => import("./resources/sdn/subnet.ts").then((m) => m.sdnSubnet),
  proxmox_sdn_vnet: () => import("./resources/sdn/vnet.ts").then((m) => m.sdnVnet),
  proxmox_sdn_zone: () => import("./resources/sdn/zone.ts").then((m) => m.sdnZone),
  proxmox_storage: () => import("./resources/storage/storage.ts").then((m) => m.storage),
  proxmox_user: () => import("./resources/access/user.ts").then((m) => m.user),
};

/** Settings that the cluster or a node always has. */
export const settings = {
  proxmox_cluster_options: () => import("./resources/cluster/cluster-options.ts").then((m) => m.clusterOptions),
  proxmox_node_config: () => import("./resources/nodes/node-config.ts").then((m) => m.nodeConfig),
  proxmox_node_dns: () => import("./resources/nodes/node-dns.ts").then((m) => m.nodeDns),
  proxmox_node_hosts: () => import("./resources/nodes/node-hosts.ts").then((m) => m.nodeHosts),
  proxmox_node_time: () => import("./resources/nodes/node-time.ts").then((m) => m.nodeTime),
};

type ObjectType = keyof typeof objects;

const lists = Object.fromEntries(
  Object.entries(objects).map(([type, load]) => [type, async () => listObjects(await load())]),
) as Record<ObjectType, () => Promise<ReturnType<typeof listObjects>>>;

/**
 * Everything that the provider offers, by the name that configurations use: the one list that is kept by hand. A
 * definition is loaded by the first call on it, so a plan of one VM loads the VM and no other type (decision 018).
 */
export const registry = {
  resources: {
    ...objects,
    ...settings,
    proxmox_acme_certificate: () => import("./resources/acme/certificate.ts").then((m) => m.acmeCertificate),
    proxmox_apt_repository: () => import("./resources/nodes/apt-repository.ts").then((m) => m.aptRepository),
    proxmox_node_certificate: () => import("./resources/nodes/node-certificate.ts").then((m) => m.nodeCertificate),
    proxmox_acl: () => import("./resources/access/acl.ts").then((m) => m.acl),
    proxmox_container: () => import("./resources/container/container.ts").then((m) => m.container),
    proxmox_container_template: () =>
      import("./resources/storage/container-template.ts").then((m) => m.containerTemplate),
    proxmox_disk: () => import("./resources/storage/disk/disk.ts").then((m) => m.disk),
    proxmox_download: () => import("./resources/storage/download.ts").then((m) => m.download),
    proxmox_file: () => import("./resources/storage/file.ts").then((m) => m.file),
    proxmox_firewall_alias: () => import("./resources/firewall/alias.ts").then((m) => m.firewallAlias),
    proxmox_firewall_ipset: () => import("./resources/firewall/ipset.ts").then((m) => m.firewallIpset),
    proxmox_firewall_options: () => import("./resources/firewall/options.ts").then((m) => m.firewallOptions),
    proxmox_firewall_policy: () => import("./resources/firewall/policy.ts").then((m) => m.firewallPolicy),
    proxmox_firewall_rules: () => import("./resources/firewall/rules.ts").then((m) => m.firewallRules),
    proxmox_firewall_security_group: () =>
      import("./resources/firewall/security-group.ts").then((m) => m.firewallSecurityGroup),
    proxmox_node_directory: () => import("./resources/disks/one-disk.ts").then((m) => m.nodeDirectory),
    proxmox_node_lvm: () => import("./resources/disks/one-disk.ts").then((m) => m.nodeLvm),
    proxmox_node_lvmthin: () => import("./resources/disks/one-disk.ts").then((m) => m.nodeLvmThin),
    proxmox_node_zfs_pool: () => import("./resources/disks/zfs-pool.ts").then((m) => m.nodeZfsPool),
    proxmox_oci_image: () => import("./resources/storage/oci-image.ts").then((m) => m.ociImage),
    proxmox_pool_member: () => import("./resources/pool/pool-member.ts").then((m) => m.poolMember),
    proxmox_sdn_ip: () => import("./resources/sdn/ip.ts").then((m) => m.sdnIp),
    proxmox_snapshot: () => import("./resources/snapshot/snapshot.ts").then((m) => m.snapshot),
    proxmox_token: () => import("./resources/access/token.ts").then((m) => m.token),
    proxmox_vm: () => import("./resources/vm/vm.ts").then((m) => m.vm),
  },
  dataSources: {
    proxmox_acme_accounts: () => import("./resources/acme/accounts.ts").then((m) => m.acmeAccountsData),
    proxmox_acme_directories: () => import("./resources/acme/directories.ts").then((m) => m.acmeDirectoriesData),
    proxmox_acme_plugins: () => import("./resources/acme/plugins.ts").then((m) => m.acmePluginsData),
    proxmox_ceph_status: () => import("./resources/ceph/status.ts").then((m) => m.cephStatusData),
    proxmox_cluster_resources: () =>
      import("./resources/cluster/cluster-resources.ts").then((m) => m.clusterResourcesData),
    proxmox_cluster_status: () => import("./resources/cluster/cluster-status.ts").then((m) => m.clusterStatusData),
    proxmox_ha_status: () => import("./resources/ha/ha-status.ts").then((m) => m.haStatusData),
    proxmox_node: () => import("./resources/nodes/node.ts").then((m) => m.nodeData),
    proxmox_node_pci_devices: () => import("./resources/nodes/hardware.ts").then((m) => m.nodePciDevicesData),
    proxmox_node_updates: () => import("./resources/nodes/hardware.ts").then((m) => m.nodeUpdatesData),
    proxmox_node_usb_devices: () => import("./resources/nodes/hardware.ts").then((m) => m.nodeUsbDevicesData),
    proxmox_tasks: () => import("./resources/cluster/tasks.ts").then((m) => m.tasksData),
    proxmox_acls: () => import("./resources/access/acls.ts").then((m) => m.aclsData),
    proxmox_realms: () => import("./resources/access/realms.ts").then((m) => m.realmsData),
    proxmox_roles: () => import("./resources/access/roles.ts").then((m) => m.rolesData),
    proxmox_tokens: () => import("./resources/access/tokens.ts").then((m) => m.tokensData),
    proxmox_container: () => import("./resources/container/data/container.ts").then((m) => m.containerData),
    proxmox_container_templates: () =>
      import("./resources/storage/container-templates.ts").then((m) => m.containerTemplatesData),
    proxmox_containers: () => import("./resources/container/data/containers.ts").then((m) => m.containersData),
    proxmox_backup_coverage: () => import("./resources/backup/coverage.ts").then((m) => m.backupCoverageData),
    proxmox_backups: () => import("./resources/backup/backups.ts").then((m) => m.backupsData),
    proxmox_firewall_macros: () => import("./resources/firewall/macros.ts").then((m) => m.firewallMacrosData),
    proxmox_firewall_refs: () => import("./resources/firewall/refs.ts").then((m) => m.firewallRefsData),
    proxmox_files: () => import("./resources/storage/files.ts").then((m) => m.filesData),
    proxmox_groups: () => import("./resources/access/groups.ts").then((m) => m.groupsData),
    proxmox_hardware_mappings: () =>
      import("./resources/mapping/hardware-mappings.ts").then((m) => m.hardwareMappingsData),
    proxmox_import_source: () => import("./resources/storage/import-source.ts").then((m) => m.importSourceData),
    proxmox_networks: () => import("./resources/network/networks.ts").then((m) => m.networksData),
    proxmox_node_disks: () => import("./resources/disks/node-disks.ts").then((m) => m.nodeDisksData),
    proxmox_nodes: () => import("./resources/nodes/nodes.ts").then((m) => m.nodesData),
    proxmox_permissions: () => import("./resources/access/permissions.ts").then((m) => m.permissionsData),
    proxmox_pools: () => import("./resources/pool/pools.ts").then((m) => m.poolsData),
    proxmox_sdn_changes: () => import("./resources/sdn/changes.ts").then((m) => m.sdnChangesData),
    proxmox_sdn_controllers: () => import("./resources/sdn/controllers.ts").then((m) => m.sdnControllersData),
    proxmox_sdn_fabrics: () => import("./resources/sdn/fabrics.ts").then((m) => m.sdnFabricsData),
    proxmox_sdn_subnets: () => import("./resources/sdn/subnets.ts").then((m) => m.sdnSubnetsData),
    proxmox_sdn_vnets: () => import("./resources/sdn/vnets.ts").then((m) => m.sdnVnetsData),
    proxmox_sdn_zones: () => import("./resources/sdn/zones.ts").then((m) => m.sdnZonesData),
    proxmox_storage: () => import("./resources/storage/storage-data.ts").then((m) => m.storageData),
    proxmox_storages: () => import("./resources/storage/storages.ts").then((m) => m.storagesData),
    proxmox_users: () => import("./resources/access/users.ts").then((m) => m.usersData),
    proxmox_version: () => import("./resources/version/version.ts").then((m) => m.versionData),
    proxmox_vm: () => import("./resources/vm/data/vm.ts").then((m) => m.vmData),
    proxmox_vms: () => import("./resources/vm/data/vms.ts").then((m) => m.vmsData),
  },
  ephemerals: {
    proxmox_token: () => import("./resources/access/token-ephemeral.ts").then((m) => m.ephemeralToken),
  },
  functions: {
    import_blocks: () => import("./resources/functions/import-blocks.ts").then((m) => m.importBlocksFunction),
    size: () => import("./resources/functions/size.ts").then((m) => m.sizeFunction),
    parse_volume_id: () => import("./resources/functions/parse-volume-id.ts").then((m) => m.parseVolumeIdFunction),
  },
  listResources: {
    ...lists,
    proxmox_firewall_alias: () => import("./resources/firewall/listed.ts").then((m) => m.listAliases),
    proxmox_firewall_ipset: () => import("./resources/firewall/listed.ts").then((m) => m.listIpsets),
    proxmox_firewall_security_group: () => import("./resources/firewall/listed.ts").then((m) => m.listSecurityGroups),
    proxmox_disk: () => import("./resources/storage/disk/list.ts").then((m) => m.listDisks),
    proxmox_snapshot: () => import("./resources/snapshot/list.ts").then((m) => m.listSnapshotResources),
    proxmox_container: () => import("./resources/container/list.ts").then((m) => m.listContainers),
    proxmox_vm: () => import("./resources/vm/list.ts").then((m) => m.listVms),
  },
  actions: {
    proxmox_container_migrate: () => import("./resources/container/actions/actions.ts").then((m) => m.migrateContainer),
    proxmox_container_reboot: () => import("./resources/container/actions/actions.ts").then((m) => m.rebootContainer),
    proxmox_container_resume: () => import("./resources/container/actions/actions.ts").then((m) => m.resumeContainer),
    proxmox_container_rollback: () =>
      import("./resources/container/actions/actions.ts").then((m) => m.rollbackContainer),
    proxmox_container_shutdown: () =>
      import("./resources/container/actions/actions.ts").then((m) => m.shutdownContainer),
    proxmox_container_snapshot: () =>
      import("./resources/container/actions/actions.ts").then((m) => m.snapshotContainer),
    proxmox_container_start: () => import("./resources/container/actions/actions.ts").then((m) => m.startContainer),
    proxmox_container_stop: () => import("./resources/container/actions/actions.ts").then((m) => m.stopContainer),
    proxmox_container_suspend: () => import("./resources/container/actions/actions.ts").then((m) => m.suspendContainer),
    proxmox_notification_test: () =>
      import("./resources/notifications/test-action.ts").then((m) => m.notificationTestAction),
    proxmox_realm_sync: () => import("./resources/access/realm/sync-action.ts").then((m) => m.realmSyncAction),
    proxmox_network_apply: () => import("./resources/network/network-actions.ts").then((m) => m.networkApplyAction),
    proxmox_network_revert: () => import("./resources/network/network-actions.ts").then((m) => m.networkRevertAction),
    proxmox_sdn_apply: () => import("./resources/sdn/apply-action.ts").then((m) => m.sdnApplyAction),
    proxmox_sdn_rollback: () => import("./resources/sdn/rollback-action.ts").then((m) => m.sdnRollbackAction),
    proxmox_vm_cloud_init_regenerate: () =>
      import("./resources/vm/actions/cloud-init-regenerate.ts").then((m) => m.regenerateCloudInit),
    proxmox_vm_exec: () => import("./resources/vm/actions/exec.ts").then((m) => m.execInVm),
    proxmox_vm_file_write: () => import("./resources/vm/actions/file-write.ts").then((m) => m.writeFileInVm),
    proxmox_vm_fstrim: () => import("./resources/vm/actions/fstrim.ts").then((m) => m.trimVm),
    proxmox_vm_migrate: () => import("./resources/vm/actions/actions.ts").then((m) => m.migrateVm),
    proxmox_vm_reboot: () => import("./resources/vm/actions/actions.ts").then((m) => m.rebootVm),
    proxmox_vm_reset: () => import("./resources/vm/actions/reset.ts").then((m) => m.resetVm),
    proxmox_vm_resume: () => import("./resources/vm/actions/actions.ts").then((m) => m.resumeVm),
    proxmox_vm_rollback: () => import("./resources/vm/actions/rollback.ts").then((m) => m.rollbackVm),
    proxmox_vm_set_password: () => import("./resources/vm/actions/set-password.ts").then((m) => m.setPasswordInVm),
    proxmox_vm_shutdown: () => import("./resources/vm/actions/actions.ts").then((m) => m.shutdownVm),
    proxmox_vm_snapshot: () => import("./resources/vm/actions/actions.ts").then((m) => m.snapshotVm),
    proxmox_vm_start: () => import("./resources/vm/actions/actions.ts").then((m) => m.startVm),
    proxmox_vm_stop: () => import("./resources/vm/actions/actions.ts").then((m) => m.stopVm),
    proxmox_vm_suspend: () => import("./resources/vm/actions/actions.ts").then((m) => m.suspendVm),
    proxmox_replication_run: () => import("./resources/replication/run-action.ts").then((m) => m.replicationRunAction),
    proxmox_backup: () => import("./resources/backup/backup-action.ts").then((m) => m.backupAction),
  },
};
