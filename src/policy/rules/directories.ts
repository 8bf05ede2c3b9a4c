/** Name servers, directories and network management. */
import type { Rule } from "../rule.ts";
import { instrumentRules } from "./instruments.ts";

export const directoryRules: readonly Rule[] = [
  ...instrumentRules,
  {
    id: "net.rndc",
    names: "rndc dnsmasq pdnsutil pdns_control rec_control unbound-control nsupdate knotc",
    sub: {
      low: "status zonestatus stats stats_noreset stats* list-* list_* ping rping version-status get get-all",
      medium:
        "reload reconfig flush flushname notify refresh retransfer flush_zone flush_type freeze thaw querylog wipe-cache set sync addzone modzone reload-zones",
      high: "stop halt delzone quit delete-zone",
    },
    noSub: "medium",
    examples: { low: ["rndc status"], medium: ["rndc reload"] },
  },
  {
    id: "net.snmp",
    names:
      "snmpwalk snmpget snmpbulkwalk ldapsearch ldapwhoami smbclient-list rpcinfo showmount nfsstat nfsiostat exportfs-v ntptrace mountstats",
    level: "low",
    examples: { low: ["showmount -e nas", "ldapsearch -x -b dc=x"] },
  },
  {
    id: "net.ldap",
    names: "ldapadd ldapmodify snmpset exportfs net rpc",
    level: "medium",
    when: { low: "-v -s", medium: "-r -a -o", high: "-u -ua -au" },
    examples: { medium: ["ldapadd -f x.ldif"] },
  },
  { id: "net.ldapdelete", names: "ldapdelete", level: "high", examples: { high: ["ldapdelete cn=x"] } },
];
