/**
 * Names that /etc/services of Debian 13 has, without the second names of a service: what pve-firewall takes for a port
 * (`src/PVE/Firewall.pm`, `get_etc_services`).
 */
export const services: ReadonlySet<string> = new Set(
  `
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
  binkp asp csync2 dircproxy tfido fido`
    .trim()
    .split(/\s+/),
);
