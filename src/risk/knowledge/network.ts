/** Networks: looking, fetching, sending, and changing how packets go. */
import type { Rule } from "../rule.ts";

export const networkRules: readonly Rule[] = [
  {
    id: "net.look",
    names:
      "fping arping traceroute traceroute6 tracepath mtr dig host nslookup drill kdig whois netstat nmap nping tcptraceroute hping3 ipcalc sipcalc ethstatus whatmask resolveip dnsget delv avahi-browse avahi-resolve iperf iperf3 netperf speedtest speedtest-cli qperf httping lft nbtscan arp-scan sslscan testssl.sh openssl-ping ipset-list conntrackd-status geoiplookup nc-check traceroute-nanog bing grpcurl websocat wscat",
    level: "low",
    takes: "-c -i -w -W -t -p -s -I -m -D -A",
    flags: { medium: "-oN -oX -oG -oA", high: "--script --flood" },
    // It tells the network who has an address.
    when: { medium: "arping_-U arping_-A" },
    examples: {
      low: ["dig +short api.internal", "traceroute -n 10.1.2.3", "netstat -tulpn"],
      medium: ["arping -U -c 3 -I eth0 10.0.0.5"],
      high: ["nmap --script vuln x"],
    },
  },
  {
    id: "net.certificates",
    names: "keytool certtool certutil",
    level: "medium",
    takes: "-keystore -alias -file -storepass -storetype -keypass --infile --outfile --load-certificate",
    oneDash: true,
    when: {
      low: "-list -printcert -printcertreq -printcrl certtool_-i certtool_--certificate-info certtool_--crl-info certutil_-L certutil_-V",
      medium:
        "-gen* -import* -export* -change* -storepasswd -keypasswd -certreq certtool_--generate-* certtool_-c certtool_-s certtool_-p certtool_-q certutil_-A certutil_-C certutil_-G certutil_-M certutil_-N certutil_-S certutil_-T certutil_-W",
      high: "-delete certutil_-D certutil_-F",
    },
    writes: "-destkeystore --outfile",
    examples: {
      low: ["keytool -list -keystore x.jks", "certtool -i --infile x.pem", "certutil -L -d sql:/etc/pki/nssdb"],
      medium: ["keytool -importcert -alias ca -file ca.pem -keystore x.jks", "certutil -d sql:/x -A -L"],
      high: ["keytool -delete -alias ca -keystore x.jks"],
    },
  },
  {
    id: "net.load",
    names: "ab wrk wrk2 hey h2load vegeta siege oha bombardier autocannon k6 locust",
    level: "medium",
    when: { low: "report plot inspect -V -version", medium: "run attack cloud start locust" },
    why: "puts load on what it calls",
    examples: { low: ["vegeta report x.bin"], medium: ["ab -n 1000 -c 10 http://localhost/", "k6 run inspect"] },
  },
  {
    id: "net.ping",
    names: "ping ping6",
    level: "low",
    takes: "-c -i -w -W -t -s -I -m -p -Q -M -S",
    flags: { high: "-f" },
    examples: { low: ["ping -c 3 10.0.0.5"], high: ["ping -f 10.0.0.1"] },
  },
  {
    id: "net.ss",
    names: "ss",
    level: "low",
    takes: "-f -A -F -N -D",
    flags: { high: "-K --kill" },
    examples: { low: ["ss -tlnp", "ss -tn state established '( dport = :5432 )'"], high: ["ss -K dst 10.0.0.1"] },
  },
  {
    id: "net.keys",
    names: "ssh-keygen",
    takes: "-f -t -b -C -N -F -R -E -O -m -P",
    level: "medium",
    when: { low: "-l -lf -F -L -B", high: "-R" },
    examples: {
      low: ["ssh-keygen -lf /etc/ssh/ssh_host_rsa_key.pub", "ssh-keygen -F host"],
      medium: ["ssh-keygen -t ed25519 -f /tmp/k"],
    },
  },
  {
    id: "net.ip",
    names: "ip",
    takes: "-n -netns -family -f -rcvbuf -batch",
    oneDash: true,
    check: "ip",
    examples: {
      low: ["ip addr show", "ip route get 8.8.8.8", "ip -s link", "ip -br a", "ip neigh"],
      medium: ["ip addr add 10.0.0.2/24 dev eth0", "ip route add 10.0.0.0/8 via 1.1.1.1"],
      high: ["ip link set eth0 down", "ip route del default", "ip addr flush dev eth0"],
    },
  },
  {
    id: "net.ifconfig",
    names: "ifconfig iwconfig",
    check: "ifconfig",
    examples: {
      low: ["ifconfig", "ifconfig -a", "ifconfig eth0"],
      high: ["ifconfig eth0 down"],
      medium: ["ifconfig eth0 mtu 1400"],
    },
  },
  {
    id: "net.ifdown",
    names: "ifdown dhclient dhcpcd netplan wg-quick",
    level: "high",
    when: {
      low: "get info status ip",
      medium: "dhclient dhcpcd udhcpc try generate set up",
      high: "-r -x -k --release apply down ifdown",
    },
    examples: {
      high: ["ifdown eth0", "dhclient -r", "netplan apply"],
      low: ["netplan get"],
      medium: ["dhclient eth0"],
    },
  },
  { id: "net.ifup", names: "ifup udhcpc", level: "medium", examples: { medium: ["ifup eth0"] } },
  {
    id: "net.route",
    names: "route arp",
    level: "low",
    when: { medium: "add -s", high: "del delete flush -d --delete" },
    examples: { low: ["route -n", "arp -an"], medium: ["route add default gw 10.0.0.1"], high: ["route del default"] },
  },
  {
    id: "net.nmcli",
    names: "nmcli",
    sub: {
      low: "general_status device_status device_show connection_show dev_status dev_show con_show d_show c_show g networking_connectivity device_wifi general device connection monitor radio",
      medium:
        "connection_up connection_modify connection_add connection_reload device_connect device_reapply con_mod con_up con_add general_reload networking_on",
      high: "connection_down connection_delete device_disconnect networking_off con_down con_delete device_delete",
    },
    noSub: "low",
    flags: { high: "-s --show-secrets" },
    takes: "-f -g -m -c -w --fields --get-values --mode --wait",
    examples: { low: ["nmcli device status", "nmcli con show"], high: ["nmcli con down eth0"] },
  },
  {
    id: "net.ethtool",
    names: "ethtool",
    level: "low",
    flags: {
      medium: "-s -K -G -C -A -L -X -N -p --change --features --set-ring --coalesce --pause --set-channels",
      high: "-r -f -E --negotiate --flash --change-eeprom --reset",
    },
    examples: { low: ["ethtool eth0", "ethtool -S eth0"], medium: ["ethtool -K eth0 gro off"] },
  },
  {
    id: "net.tc",
    names: "tc",
    level: "low",
    when: { medium: "add change replace link", high: "del delete" },
    examples: {
      low: ["tc qdisc show dev eth0", "tc -s qdisc"],
      medium: ["tc qdisc add dev eth0 root netem delay 10ms"],
    },
  },
  {
    id: "net.bridge",
    names: "brctl bridge ovs-vsctl ovs-ofctl ovs-appctl teamdctl vconfig ipvsadm conntrack",
    level: "low",
    when: {
      medium: "addbr addif add set add-port add-br append -A -a -E -e -I -U -z -Z --zero replace configure",
      high: "del delete delbr delif del-port del-br -D -d -F -C --flush --delete --clear flush disable",
      low: "show list -L -l -Ln -lnc",
    },
    examples: {
      low: ["brctl show", "bridge link", "conntrack -L", "ipvsadm -Ln"],
      medium: ["brctl addif br0 eth1"],
      high: ["conntrack -F", "ipvsadm -C"],
    },
  },
  {
    id: "net.wireguard",
    names: "wg",
    level: "low",
    when: {
      low: "show",
      medium: "set addconf setconf syncconf genkey genpsk pubkey",
      high: "showconf private-key preshared-keys dump",
    },
    why: "shows or changes keys",
    examples: { low: ["wg show", "wg"], high: ["wg showconf wg0", "wg show wg0 private-key"] },
  },
  {
    id: "net.iptables",
    names: "iptables ip6tables iptables-legacy iptables-nft ebtables arptables",
    check: "iptables",
    examples: {
      low: ["iptables -L -n -v", "iptables -t nat -S"],
      medium: ["iptables -A INPUT -s 1.2.3.4 -j DROP"],
      high: ["iptables -F", "iptables -P INPUT DROP"],
    },
  },
  {
    id: "net.iptables-save",
    names: "iptables-save ip6tables-save",
    level: "low",
    writes: "-f --file",
    examples: { low: ["iptables-save"] },
  },
  {
    id: "net.iptables-restore",
    names: "iptables-restore ip6tables-restore netfilter-persistent iptables-apply",
    level: "high",
    examples: { high: ["iptables-restore /tmp/rules"] },
  },
  {
    id: "net.nft",
    names: "nft",
    takes: "-f -I -D --file",
    sub: {
      low: "list describe monitor",
      medium: "add insert create replace",
      high: "flush delete destroy reset rename",
    },
    flags: { high: "-f --file" },
    noSub: "medium",
    examples: { low: ["nft list ruleset"], high: ["nft flush ruleset"] },
  },
  {
    id: "net.radio",
    names: "rfkill ipsec swanctl strongswan",
    level: "medium",
    when: { low: "list status statusall --list-sas --list-conns --stats -n", high: "block stop down --terminate" },
    examples: { low: ["rfkill list", "ipsec statusall"], high: ["ipsec stop"] },
  },
  {
    id: "net.ipset",
    names: "ipset",
    sub: {
      low: "list save test version -L help",
      medium: "create add del restore rename swap -A -N",
      high: "destroy flush -X -F",
    },
    noSub: "low",
    examples: { low: ["ipset list"], medium: ["ipset add banned 203.0.113.9"], high: ["ipset destroy"] },
  },
  {
    id: "net.ufw",
    names: "ufw",
    sub: {
      low: "status show version app_list app_info",
      medium: "allow deny reject limit enable reload logging insert prepend route default",
      high: "disable reset delete",
    },
    examples: { low: ["ufw status verbose"], medium: ["ufw allow 80/tcp"], high: ["ufw disable"] },
  },
  {
    id: "net.firewalld",
    names: "firewall-cmd",
    level: "medium",
    when: {
      low: "--list-* --state --get-* --query-* --info-* --check-config --version --list-all --list-all-zones",
      medium:
        "--add-* --remove-* --new-* --set-* --change-* --reload --runtime-to-permanent --load-zone-defaults* --lockdown-on --lockdown-off --icmp-block-inversion",
      high: "--passthrough --panic-on --complete-reload --remove-service=ssh --set-default-zone* --reset-to-defaults --delete-*",
    },
    examples: {
      low: ["firewall-cmd --list-all", "firewall-cmd --state"],
      medium: ["firewall-cmd --add-port=80/tcp", "firewall-cmd --reload"],
      high: ["firewall-cmd --panic-on"],
    },
  },
  {
    id: "net.fail2ban",
    names: "fail2ban-client",
    sub: { low: "status get ping version", medium: "set reload start restart unban", high: "stop" },
    examples: { low: ["fail2ban-client status sshd"], medium: ["fail2ban-client set sshd unbanip 1.2.3.4"] },
  },
  {
    id: "net.dump",
    names: "tcpdump tshark dumpcap ngrep tcpflow wireshark",
    level: "low",
    takes: "-i -c -s -w -r -C -W -G -z -Z -E -F -y -Y -T -e -f -a -b -d",
    writes: "-w",
    execs: "-z",
    examples: {
      low: ["tcpdump -i eth0 -c 10 port 80", "tshark -i eth0 -c 5"],
      medium: ["tcpdump -i any -w /tmp/x.pcap"],
      block: ["tcpdump -i eth0 -z 'rm -rf /' -w /tmp/x"],
    },
  },
];
