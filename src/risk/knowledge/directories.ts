/** Name servers, directories and network management. */
import type { Program } from "../program.ts";
import { probe, repeats, serverClient } from "./facts.ts";
import { instrumentRules } from "./instruments.ts";

// biome-ignore format: filled to the width
export const directoryRules: readonly Program[] = [
  ...instrumentRules,
  { id: "net.rndc", names: "dnsmasq nsupdate dnssec-keygen dnssec-signzone dnssec-settime unbound-anchor",
    level: "medium", when: { low: "--test" },
    match: { low: ["dnsmasq --test"], medium: ["nsupdate /srv/change.txt"] } },
  { id: "net.snmp", names: "snmpwalk snmpget snmpgetnext snmpbulkwalk ldapsearch ldapwhoami rpcinfo showmount nfsstat " +
    "nfsiostat ntptrace mountstats", level: "low", ladder: [{ names: "ldapsearch", level: "high", if: " (?i:userPassword|\\w*(NT|LM)Password|krbPrincipalKey|olcRootPW|unicodePwd|ms-Mcs-AdmPwd)\\b", why: "shows password hashes" },
    { names: "rpcinfo", level: "medium", if: " -d ", why: "takes a service off the list" }], reach: [{ names: "rpcinfo showmount", ...probe },
    { names: "snmpwalk snmpget snmpgetnext snmpbulkwalk", kind: "lookup", operands: "hosts", options: { host: "-h --host" } },
    { names: "ldapsearch ldapwhoami", ...serverClient }], unbounded: [{ names: "nfsiostat", ...repeats }],
    match: { low: ["showmount -e nas", "ldapsearch -x -b dc=x"], medium: ["rpcinfo -d mountd 1"], high: ["ldapsearch -x uid=bob userPassword"] } },
  { id: "net.ldap", names: "ldapadd ldapmodify exportfs", level: "medium", when: { low: "exportfs_-v exportfs_-s",
    medium: "-r -a -o", high: "exportfs_-u exportfs_-ua exportfs_-au" },
    match: { low: ["exportfs -v"], medium: ["ldapadd -f x.ldif", "ldapmodify -v -f x.ldif"], high: ["exportfs -u"] } },
  { id: "net.snmpset", names: "snmpset snmptrap", level: "medium", reach: [{ names: "snmptrap", kind: "lookup",
    operands: "hosts", options: { host: "-h --host" } }],
    match: { medium: ["snmpset -v2c -c x sw1 a.0 i 1"] } },
  { id: "net.printing", names: "lpstat lpq lpinfo lp lpr lpmove lpadmin lpoptions cupsenable cupsdisable cupsaccept " +
    "cupsreject cancel lprm", level: "medium", when: { low: "lpstat lpq lpinfo", high: "cancel lprm -x" },
    options: { value: "-p -P -d -o -u -U -h -H -v -m" }, reach: [{ names: "lpstat lpq lpinfo lp lpr cancel", kind: "service",
    options: { host: "-h -H" }, sub: "" }],
    match: { low: ["lpstat -t", "lpq -a"], medium: ["cupsdisable lpstat"], high: ["cancel -a", "lpadmin -x office"] } },
  { id: "net.ldapdelete", names: "ldapdelete", level: "high", match: { high: ["ldapdelete cn=x"] } },
];
