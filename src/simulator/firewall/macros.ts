import type { FirewallRule } from "../core/world/firewall.ts";

// Macros: pve-firewall `src/PVE/Firewall.pm`, `$pve_fw_macros` and `$apply_macro`.

type Template = Readonly<Partial<Record<"proto" | "dport" | "sport", string>>>;

interface Macro {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly Template[];
}

/** Name, description, and a protocol with destination and source ports for each rule; `-` stands for no port. */
const table = `
  Amanda | Amanda Backup | udp 10080, tcp 10080
  Auth | Auth (identd) traffic | tcp 113
  BGP | Border Gateway Protocol traffic | tcp 179
  BitTorrent | BitTorrent traffic for BitTorrent 3.1 and earlier | tcp 6881:6889, udp 6881
  BitTorrent32 | BitTorrent traffic for BitTorrent 3.2 and later | tcp 6881:6999, udp 6881
  Ceph | Ceph Storage Cluster traffic (Ceph Monitors, OSD & MDS Daemons) | tcp 6789, tcp 3300, tcp 6800:7300
  CVS | Concurrent Versions System pserver traffic | tcp 2401
  Citrix | Citrix/ICA traffic (ICA, ICA Browser, CGP) | tcp 1494, udp 1604, tcp 2598
  DAAP | Digital Audio Access Protocol traffic (iTunes, Rythmbox daemons) | tcp 3689, udp 3689
  DCC | Distributed Checksum Clearinghouse spam filtering mechanism | tcp 6277
  DHCPfwd | Forwarded DHCP traffic | udp 67:68 67:68
  DNS | Domain Name System traffic (upd and tcp) | udp 53, tcp 53
  Distcc | Distributed Compiler service | tcp 3632
  FTP | File Transfer Protocol | tcp 21
  Finger | Finger protocol (RFC 742) | tcp 79
  GNUnet | GNUnet secure peer-to-peer networking traffic | tcp 2086, udp 2086, tcp 1080, udp 1080
  GRE | Generic Routing Encapsulation tunneling protocol | 47 -
  Git | Git distributed revision control traffic | tcp 9418
  HKP | OpenPGP HTTP key server protocol traffic | tcp 11371
  HTTP | Hypertext Transfer Protocol (WWW) | tcp 80
  HTTPS | Hypertext Transfer Protocol (WWW) over SSL | tcp 443
  ICPV2 | Internet Cache Protocol V2 (Squid) traffic | udp 3130
  ICQ | AOL Instant Messenger traffic | tcp 5190
  IMAP | Internet Message Access Protocol | tcp 143
  IMAPS | Internet Message Access Protocol over SSL | tcp 993
  IPIP | IPIP capsulation traffic | 94 -
  IPsec | IPsec traffic | udp 500 500, 50 -
  IPsecah | IPsec authentication (AH) traffic | udp 500 500, 51 -
  IPsecnat | IPsec traffic and Nat-Traversal | udp 500, udp 4500, 50 -
  IRC | Internet Relay Chat traffic | tcp 6667
  Jetdirect | HP Jetdirect printing | tcp 9100
  L2TP | Layer 2 Tunneling Protocol traffic | udp 1701
  LDAP | Lightweight Directory Access Protocol traffic | tcp 389
  LDAPS | Secure Lightweight Directory Access Protocol traffic | tcp 636
  MSNP | Microsoft Notification Protocol | tcp 1863
  MSSQL | Microsoft SQL Server | tcp 1433
  Mail | Mail traffic (SMTP, SMTPS, Submission) | tcp 25, tcp 465, tcp 587
  MDNS | Multicast DNS | udp 5353
  Munin | Munin networked resource monitoring traffic | tcp 4949
  MySQL | MySQL server | tcp 3306
  NNTP | NNTP traffic (Usenet). | tcp 119
  NNTPS | Encrypted NNTP traffic (Usenet) | tcp 563
  NTP | Network Time Protocol (ntpd) | udp 123
  OSPF | OSPF multicast traffic | 89 -
  OpenVPN | OpenVPN traffic | udp 1194
  PCA | Symantec PCAnywere (tm) | udp 5632, tcp 5631
  PMG | Proxmox Mail Gateway web interface | tcp 8006
  POP3 | POP3 traffic | tcp 110
  POP3S | Encrypted POP3 traffic | tcp 995
  PPtP | Point-to-Point Tunneling Protocol | 47 -, tcp 1723
  Ping | ICMP echo request | icmp echo-request
  PostgreSQL | PostgreSQL server | tcp 5432
  Printer | Line Printer protocol printing | tcp 515
  RDP | Microsoft Remote Desktop Protocol traffic | tcp 3389
  RIP | Routing Information Protocol (bidirectional) | udp 520
  RNDC | BIND remote management protocol | tcp 953
  Razor | Razor Antispam System | tcp 2703
  Rdate | Remote time retrieval (rdate) | tcp 37
  Rsync | Rsync server | tcp 873
  SANE | SANE network scanning | tcp 6566
  SMB | Microsoft SMB traffic | udp 135,445, udp 137:139, udp 1024:65535 137, tcp 135,139,445
  SMBswat | Samba Web Administration Tool | tcp 901
  SMTP | Simple Mail Transfer Protocol | tcp 25
  SMTPS | Encrypted Simple Mail Transfer Protocol | tcp 465
  SNMP | Simple Network Management Protocol | udp 161:162, tcp 161
  SPAMD | Spam Assassin SPAMD traffic | tcp 783
  SSH | Secure shell traffic | tcp 22
  SVN | Subversion server (svnserve) | tcp 3690
  SixXS | SixXS IPv6 Deployment and Tunnel Broker | tcp 3874, udp 3740, 41 -, udp 5072,8374
  SPICEproxy | Proxmox VE SPICE display proxy traffic | tcp 3128
  Squid | Squid web proxy traffic | tcp 3128
  Submission | Mail message submission traffic | tcp 587
  Syslog | Syslog protocol (RFC 5424) traffic | udp 514, tcp 514
  TFTP | Trivial File Transfer Protocol traffic | udp 69
  Telnet | Telnet traffic | tcp 23
  Telnets | Telnet over SSL | tcp 992
  Time | RFC 868 Time protocol | tcp 37
  Trcrt | Traceroute (for up to 30 hops) traffic | udp 33434:33524, icmp echo-request
  VNC | VNC traffic for VNC display's 0 - 99 | tcp 5900:5999
  VNCL | VNC traffic from Vncservers to Vncviewers in listen mode | tcp 5500
  Web | WWW traffic (HTTP and HTTPS) | tcp 80, tcp 443
  Webcache | Web Cache/Proxy traffic (port 8080) | tcp 8080
  Webmin | Webmin traffic | tcp 10000
  Whois | Whois (nicname, RFC 3912) traffic | tcp 43`;

/** The same for IPv6, where it is different or exists for IPv6 only. */
const tableV6 = `
  Ping | Ping | icmpv6 echo-request
  NeighborDiscovery | IPv6 neighbor solicitation, neighbor and router advertisement | icmpv6 router-solicitation, icmpv6 router-advertisement, icmpv6 neighbor-solicitation, icmpv6 neighbor-advertisement
  DHCPv6 | DHCPv6 traffic | udp 546:547 546:547
  Trcrt | Trcrt | udp 33434:33524, icmpv6 echo-request`;

function parseTable(text: string): Macro[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", description = "", rules = ""] = line.split(" | ").map((part) => part.trim());
      return { name, description, rules: rules.split(", ").map(parseTemplate) };
    });
}

function parseTemplate(text: string): Template {
  const [proto = "", dport = "-", sport = "-"] = text.split(" ");
  return { proto, ...(dport !== "-" && { dport }), ...(sport !== "-" && { sport }) };
}

const general = parseTable(table);
const forV6 = parseTable(tableV6);
const onlyV6 = forV6.filter(({ name }) => !general.some((macro) => macro.name === name));

export const macros: readonly Macro[] = [...general, ...onlyV6];

/** The name as PVE writes it; the search is case-insensitive. */
export function findMacroName(text: string): string | undefined {
  return macros.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.name;
}

/** The first property of the rule that contradicts its macro. */
export function macroConflict(
  rule: FirewallRule,
  version: 4 | 6 | undefined,
): { name: string; text: string } | undefined {
  const { macro = "" } = rule;
  if (version === 4 && onlyV6.some(({ name }) => name === macro)) {
    return undefined;
  }
  const list = version === 6 ? [...forV6, ...general] : macros;
  for (const template of list.find(({ name }) => name === macro)?.rules ?? []) {
    const other = Object.entries(template).find(([name, value]) => rule[name] !== undefined && rule[name] !== value);
    if (other !== undefined) {
      return { name: other[0], text: `parameter '${other[0]}' already define in macro (value = '${other[1]}')` };
    }
  }
  return undefined;
}
