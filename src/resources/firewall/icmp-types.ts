const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** pve-firewall: src/PVE/Firewall.pm, `$icmp_type_names`. */
const ofVersion4: readonly string[] = words(`
  any echo-reply destination-unreachable network-unreachable host-unreachable protocol-unreachable port-unreachable
  fragmentation-needed source-route-failed network-unknown host-unknown network-prohibited host-prohibited
  TOS-network-unreachable TOS-host-unreachable communication-prohibited host-precedence-violation precedence-cutoff
  source-quench redirect network-redirect host-redirect TOS-network-redirect TOS-host-redirect echo-request
  router-advertisement router-solicitation time-exceeded ttl-zero-during-transit ttl-zero-during-reassembly
  parameter-problem ip-header-bad required-option-missing timestamp-request timestamp-reply address-mask-request
  address-mask-reply`);

/** The same place, `$icmpv6_type_names`. */
const ofVersion6: readonly string[] = words(`
  destination-unreachable no-route communication-prohibited beyond-scope address-unreachable port-unreachable
  failed-policy reject-route packet-too-big time-exceeded ttl-zero-during-transit ttl-zero-during-reassembly
  parameter-problem bad-header unknown-header-type unknown-option echo-request echo-reply router-solicitation
  router-advertisement neighbor-solicitation neighbour-solicitation neighbor-advertisement neighbour-advertisement
  redirect`);

/** The types of ICMP packets that a rule of that protocol can name. */
export const icmpTypesOf = (protocol: string): readonly string[] => (protocol === "icmp" ? ofVersion4 : ofVersion6);
