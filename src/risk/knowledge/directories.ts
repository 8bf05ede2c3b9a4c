/** Name servers, directories and network management. */
import type { Program } from "../program.ts";
import { networkProbe, serverClient } from "./facts.ts";
import { instrumentRules } from "./instruments.ts";

// biome-ignore format: filled to the width
export const directoryRules: readonly Program[] = [
  ...instrumentRules,
  { id: "net.rndc", names: "dnsmasq nsupdate dnssec-keygen dnssec-signzone dnssec-settime unbound-anchor",
    level: "medium",
    rows: [{ words: "--test", level: "low" }],
    match: { low: ["dnsmasq --test"], medium: ["nsupdate /srv/change.txt"] } },
  { id: "net.snmp",
    names: "snmpwalk snmpget snmpgetnext snmpbulkwalk ldapsearch ldapwhoami rpcinfo showmount nfsstat " +
      "nfsiostat ntptrace mountstats",
    level: "low",
    rows: [
      { names: "ldapsearch",
        if: " (?i:userPassword|\\w*(NT|LM)Password|krbPrincipalKey|olcRootPW|unicodePwd|ms-Mcs-AdmPwd)\\b",
        level: "high", why: "shows password hashes" },
      { names: "rpcinfo", words: "-d", level: "medium", why: "takes a service off the list" },
      { names: "rpcinfo showmount", ...networkProbe },
      { names: "snmpwalk snmpget snmpgetnext snmpbulkwalk",
        reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host" } } },
      { names: "ldapsearch ldapwhoami", ...serverClient },
    ],
    match: { low: ["showmount -e nas", "ldapsearch -x -b dc=x"], medium: ["rpcinfo -d mountd 1"],
      high: ["ldapsearch -x uid=bob userPassword"] } },
  { id: "net.ldap", names: "ldapadd ldapmodify exportfs", level: "medium",
    rows: [
      { names: "exportfs", words: "-v -s", level: "low" },
      { names: "exportfs", if: "^ *$", level: "low", why: "lists what is exported" },
      { words: "-r -a -o", level: "medium" },
      { names: "exportfs", words: "-u -ua -au", level: "high" },
    ],
    match: { low: ["exportfs -v"], medium: ["ldapadd -f x.ldif", "ldapmodify -v -f x.ldif"], high: ["exportfs -u"] } },
  { id: "net.snmpset", names: "snmpset snmptrap", level: "medium",
    rows: [{ names: "snmptrap", reach: { kind: "lookup", operands: "hosts", options: { host: "-h --host" } } }],
    match: { medium: ["snmpset -v2c -c x sw1 a.0 i 1"] } },
  { id: "net.printing",
    names: "lpstat lpq lpinfo lp lpr lpmove lpadmin lpoptions cupsenable cupsdisable cupsaccept cupsreject cancel lprm",
    level: "medium", options: { value: "-p -P -d -o -u -U -h -H -v -m" },
    rows: [
      { names: "lpstat lpq lpinfo", level: "low" },
      { names: "cancel lprm", level: "high" },
      { words: "-x", level: "high" },
      { names: "lpstat lpq lpinfo lp lpr cancel", words: "", reach: { kind: "service", options: { host: "-h -H" } } },
    ],
    match: { low: ["lpstat -t", "lpq -a"], medium: ["cupsdisable lpstat"], high: ["cancel -a", "lpadmin -x office"] } },
  { id: "net.ldapdelete", names: "ldapdelete", level: "high",
    match: { high: ["ldapdelete cn=x"] } },
];
