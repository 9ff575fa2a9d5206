// Names the firewall knows: pve-firewall `src/PVE/Firewall.pm`, and the host's /etc/protocols and /etc/services.

const words = (text: string) => text.trim().split(/\s+/);

export const macros = words(`
  Amanda Auth BGP BitTorrent BitTorrent32 Ceph CVS Citrix DAAP DCC DHCPfwd DNS Distcc FTP Finger GNUnet GRE Git HKP HTTP
  HTTPS ICPV2 ICQ IMAP IMAPS IPIP IPsec IPsecah IPsecnat IRC Jetdirect L2TP LDAP LDAPS MSNP MSSQL Mail MDNS Munin MySQL
  NNTP NNTPS NTP OSPF OpenVPN PCA PMG POP3 POP3S PPtP Ping PostgreSQL Printer RDP RIP RNDC Razor Rdate Rsync SANE SMB
  SMBswat SMTP SMTPS SNMP SPAMD SSH SVN SixXS SPICEproxy Squid Submission Syslog TFTP Telnet Telnets Time Trcrt VNC VNCL
  Web Webcache Webmin Whois`);

export const icmpTypes = new Set(
  words(`
  any echo-reply destination-unreachable network-unreachable host-unreachable protocol-unreachable port-unreachable
  fragmentation-needed source-route-failed network-unknown host-unknown network-prohibited host-prohibited
  TOS-network-unreachable TOS-host-unreachable communication-prohibited host-precedence-violation precedence-cutoff
  source-quench redirect network-redirect host-redirect TOS-network-redirect TOS-host-redirect echo-request
  router-advertisement router-solicitation time-exceeded ttl-zero-during-transit ttl-zero-during-reassembly
  parameter-problem ip-header-bad required-option-missing timestamp-request timestamp-reply address-mask-request
  address-mask-reply`),
);

export const icmpV6Types = new Set(
  words(`
  destination-unreachable no-route communication-prohibited beyond-scope address-unreachable port-unreachable
  failed-policy reject-route packet-too-big time-exceeded ttl-zero-during-transit ttl-zero-during-reassembly
  parameter-problem bad-header unknown-header-type unknown-option echo-request echo-reply router-solicitation
  router-advertisement neighbor-solicitation neighbour-solicitation neighbor-advertisement neighbour-advertisement
  redirect`),
);

export const conntrackHelpers = words("amanda ftp irc pptp sane sip snmp tftp");

const protocolNumbers: Readonly<Record<string, number>> = {
  ip: 0,
  icmp: 1,
  igmp: 2,
  ipencap: 4,
  tcp: 6,
  egp: 8,
  udp: 17,
  dccp: 33,
  ipv6: 41,
  "ipv6-route": 43,
  "ipv6-frag": 44,
  rsvp: 46,
  gre: 47,
  esp: 50,
  ah: 51,
  icmpv6: 58,
  "ipv6-icmp": 58,
  "ipv6-nonxt": 59,
  "ipv6-opts": 60,
  ospf: 89,
  ipip: 94,
  etherip: 97,
  pim: 103,
  vrrp: 112,
  l2tp: 115,
  sctp: 132,
  udplite: 136,
};

export function isProtocol(name: string): boolean {
  return (
    protocolNumbers[name] !== undefined || Object.values(protocolNumbers).some((number) => String(number) === name)
  );
}

export const hasPorts = (protocol: string) =>
  ["udp", "17", "udplite", "136", "tcp", "6", "dccp", "33", "sctp", "132"].includes(protocol);

export const isIcmp = (protocol: string | undefined) => ["icmp", "icmpv6", "ipv6-icmp"].includes(protocol ?? "");

/** Services that rules are likely to name; a host has some hundred more. */
export const services = new Set(
  words(`
  bgp bootpc bootps domain echo finger ftp ftp-data git gopher http https imap2 imap imap3 imaps ipp irc isakmp kerberos
  ldap ldaps mdns microsoft-ds ms-sql-s mysql nameserver netbios-dgm netbios-ns netbios-ssn nfs nntp nntps ntp openvpn
  pop2 pop3 pop3s postgresql printer radius radius-acct rsync rtsp sip sip-tls smtp snmp snmp-trap ssh submission
  submissions sunrpc svn syslog syslog-tls telnet telnets tftp time webmin whois xmpp-client xmpp-server`),
);
