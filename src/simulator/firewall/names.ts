// Names that the firewall accepts: pve-firewall `src/PVE/Firewall.pm`, and the host's /etc/protocols and /etc/services.

const words = (text: string) => text.trim().split(/\s+/);

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

/** /etc/protocols, each name with its number; ICMPv6 has a second name. */
const protocols = words(`
  ip:0 hopopt:0 icmp:1 igmp:2 ggp:3 ipencap:4 st:5 tcp:6 egp:8 igp:9 pup:12 udp:17 hmp:20 xns-idp:22 rdp:27 iso-tp4:29
  dccp:33 xtp:36 ddp:37 idpr-cmtp:38 ipv6:41 ipv6-route:43 ipv6-frag:44 idrp:45 rsvp:46 gre:47 esp:50 ah:51 skip:57
  ipv6-icmp:58 ipv6-nonxt:59 ipv6-opts:60 rspf:73 vmtp:81 eigrp:88 ospf:89 ax.25:93 ipip:94 etherip:97 encap:98
  pim:103 ipcomp:108 vrrp:112 l2tp:115 isis:124 sctp:132 fc:133 mobility-header:135 udplite:136 mpls-in-ip:137
  manet:138 hip:139 shim6:140 wesp:141 rohc:142 ethernet:143 mptcp:262
  icmpv6:icmpv6`).flatMap((pair) => pair.split(":"));

export const isProtocol = (name: string) => protocols.includes(name);

export const hasPorts = (protocol: string) =>
  ["udp", "17", "udplite", "136", "tcp", "6", "dccp", "33", "sctp", "132"].includes(protocol);

export const isIcmp = (protocol: string | undefined) => ["icmp", "icmpv6", "ipv6-icmp"].includes(protocol ?? "");

/** /etc/services; aliases of a service do not count. */
export const services = new Set(
  words(`
  tcpmux echo discard systat daytime netstat qotd chargen ftp-data ftp fsp ssh telnet smtp time whois tacacs domain
  bootps bootpc tftp gopher finger http kerberos iso-tsap acr-nema pop3 sunrpc auth nntp ntp epmap netbios-ns
  netbios-dgm netbios-ssn imap2 snmp snmp-trap cmip-man cmip-agent mailq xdmcp bgp smux qmtp z3950 ipx ptp-event
  ptp-general pawserv zserv rpc2portmap codaauth2 clearcase ldap svrloc https snpp microsoft-ds kpasswd submissions
  saft isakmp rtsp nqs asf-rmcp qmqp ipp ldp exec biff login who shell syslog printer talk ntalk route gdomap uucp
  klogin kshell dhcpv6-client dhcpv6-server afpovertcp nntps submission ldaps tinc silc kerberos-adm domain-s rsync
  ftps-data ftps telnets imaps pop3s socks proofd rootd openvpn rmiregistry lotusnote ms-sql-s ms-sql-m ingreslock
  datametrics sa-msg-port kermit groupwise l2f radius radius-acct cisco-sccp nfs gnunet rtcm-sc104 gsigatekeeper gris
  cvspserver venus venus-se codasrv codasrv-se mon dict f5-globalsite gsiftp gpsd gds-db icpv2 isns iscsi-target mysql
  ms-wbt-server nut distcc daap svn suucp sysrqd sieve epmd remctl f5-iquery ntske ipsec-nat-t iax mtn radmin-port sip
  sip-tls xmpp-client xmpp-server cfengine mdns postgresql freeciv amqps amqp x11 x11-1 x11-2 x11-3 x11-4 x11-5 x11-6
  x11-7 gnutella-svc gnutella-rtr redis sge-qmaster sge-execd mysql-proxy babel ircs-u bbs afs3-fileserver
  afs3-callback afs3-prserver afs3-vlserver afs3-kaserver afs3-volser afs3-bos afs3-update afs3-rmtsys font-service
  http-alt puppet bacula-dir bacula-fd bacula-sd xmms2 nbd zabbix-agent zabbix-trapper amanda dicom hkp db-lsp dcap
  gsidcap wnn6 kerberos4 kerberos-master passwd-server krb-prop zephyr-srv zephyr-clt zephyr-hm iprop supfilesrv
  supfiledbg poppassd moira-db moira-update moira-ureg spamd skkserv predict rmtcfg xtel xtelw zebrasrv zebra ripd
  ripngd ospfd bgpd ospf6d ospfapi isisd fax hylafax munin rplay nrpe nsca canna syslog-tls sane-port ircd zope-ftp
  tproxy omniorb clc-build-daemon xinetd git zope webmin kamanda amandaidx amidxtape sgi-cmsd sgi-crsd sgi-gcd sgi-cad
  binkp asp csync2 dircproxy tfido fido`),
);
