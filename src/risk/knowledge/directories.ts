/** Name servers, directories and network management. */
import type { Rule } from "../rule.ts";
import { instrumentRules } from "./instruments.ts";

export const directoryRules: readonly Rule[] = [
  ...instrumentRules,
  {
    id: "net.rndc",
    names: "dnsmasq nsupdate dnssec-keygen dnssec-signzone dnssec-settime unbound-anchor",
    level: "medium",
    when: { low: "--test" },
    examples: { low: ["dnsmasq --test"], medium: ["nsupdate /srv/change.txt"] },
  },
  {
    id: "net.snmp",
    names:
      "snmpwalk snmpget snmpbulkwalk ldapsearch ldapwhoami rpcinfo showmount nfsstat nfsiostat ntptrace mountstats",
    level: "low",
    examples: { low: ["showmount -e nas", "ldapsearch -x -b dc=x"] },
  },
  {
    id: "net.ldap",
    names: "ldapadd ldapmodify exportfs",
    level: "medium",
    when: { low: "exportfs_-v exportfs_-s", medium: "-r -a -o", high: "exportfs_-u exportfs_-ua exportfs_-au" },
    examples: { low: ["exportfs -v"], medium: ["ldapadd -f x.ldif", "ldapmodify -v -f x.ldif"] },
  },
  {
    id: "net.snmpset",
    names: "snmpset snmptrap",
    level: "medium",
    examples: { medium: ["snmpset -v2c -c x sw1 a.0 i 1"] },
  },
  {
    id: "net.printing",
    names: "lpstat lpq lpinfo lp lpr lpmove lpadmin lpoptions cupsenable cupsdisable cupsaccept cupsreject cancel lprm",
    level: "medium",
    takes: "-p -P -d -o -u -U -h -H -v -m",
    when: { low: "lpstat lpq lpinfo", high: "cancel lprm -x" },
    examples: {
      low: ["lpstat -t", "lpq -a"],
      medium: ["cupsdisable lpstat"],
      high: ["cancel -a", "lpadmin -x office"],
    },
  },
  { id: "net.ldapdelete", names: "ldapdelete", level: "high", examples: { high: ["ldapdelete cn=x"] } },
];
