/** How programs reach the network. One that is not listed reaches what the addresses (`scheme://host`) in its arguments name. */
export interface Reach {
  readonly names: string;
  /**
   * `request`: what its arguments hold goes to the host. `lookup`: asks for a name or a way, so that what it asks stands in the question,
   * and sends nothing else of its own. `service`: talks to what it was set up for, another host only where it is named one. `copy`: files
   * go along, to the host before the colon. `account`: the same, to a bucket or a remote of whoever's account that is.
   */
  readonly kind: "request" | "lookup" | "service" | "copy" | "account";
  /** Sub-commands that reach out at all; every call does where none is named. */
  readonly sub?: string;
  /** True where each operand names a host. */
  readonly operands?: boolean;
  /** Options whose value names a host. */
  readonly hosts?: string;
  /** Options whose value is a file that is sent, or that says what is sent. */
  readonly files?: string;
  /** Options whose value stays here: a file it writes, a time, a form of its output. */
  readonly keeps?: string;
  /** Options with which nothing leaves: it only rehearses, lists or checks. */
  readonly stays?: string;
  /** True where what it reads on its standard input is sent, whatever the options. */
  readonly stdin?: boolean;
}

export const reaches: readonly Reach[] = [
  {
    names: "curl curlie http https xh wget wget2 aria2c axel httping",
    kind: "request",
    operands: true,
    hosts: "--url -x --proxy --preproxy --socks5 --socks5-hostname --connect-to --resolve --dns-servers",
    files: "-T --upload-file --post-file --body-file -K --config -i --input-file --netrc-file",
    keeps:
      "-o --output -O --output-document -w --write-out -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -D " +
      "--dump-header -c --cookie-jar --cacert --capath --ca-certificate -P --directory-prefix --output-dir --limit-rate --interface " +
      "--stderr --trace --trace-ascii -y -Y -r --range --timeout --tries --unix-socket --max-redirs --max-filesize -a --append-output -X " +
      "--request --method -C --cert --key -E",
  },
  { names: "lynx links w3m elinks", kind: "request", operands: true },
  {
    names: "nc ncat netcat nc.traditional nc.openbsd telnet pwncat",
    kind: "lookup",
    operands: true,
    hosts: "-x --proxy",
    stdin: true,
  },
  { names: "grpcurl websocat wscat", kind: "request", operands: true, stdin: true },
  {
    names: "openssl",
    kind: "lookup",
    sub: "s_client s_time ocsp",
    hosts: "-connect -host -url -proxy",
    keeps: "-in -out -CAfile -CApath -cert -key",
    stdin: true,
  },
  {
    names: "dig host nslookup drill kdig delv resolveip dnsget avahi-resolve getent",
    kind: "lookup",
    operands: true,
    hosts: "-x -q",
    files: "-f",
  },
  {
    names:
      "ping ping6 fping arping traceroute traceroute6 tracepath mtr nping hping3 lft tcptraceroute nmap masscan zmap nbtscan ssh-keyscan " +
      "sslscan testssl.sh iperf iperf3 netperf qperf bing ntpdate smbclient rpcinfo showmount",
    kind: "lookup",
    operands: true,
    hosts: "-c -H",
    files: "-iL -f",
    keeps: "-c -i -w -W -t -s -I -m -oN -oX -oG -oA",
  },
  { names: "whois snmpwalk snmpget snmpbulkwalk snmptrap finger", kind: "lookup", operands: true, hosts: "-h --host" },
  { names: "scp sftp ftp lftp ncftp tftp ftpput ftpget pscp", kind: "copy", stdin: true },
  { names: "rsync", kind: "copy", stays: "-n --dry-run --list-only" },
  { names: "ssh autossh", kind: "copy", stdin: true },
  {
    names: "mail mailx mutt s-nail sendmail msmtp ssmtp swaks mpack exim",
    kind: "copy",
    operands: true,
    hosts: "--to -t --server",
    files: "-a -A --attach",
    keeps: "-s",
    stays: "-bt -bv -bp -bpc -bP -bV",
    stdin: true,
  },
  {
    names: "git",
    kind: "service",
    sub: "fetch pull push clone ls-remote remote_update submodule_update fetch-pack send-pack send-email request-pull archive lfs",
  },
  {
    names: "aws gcloud gsutil az rclone mc s3cmd s4cmd s5cmd azcopy doctl oci ibmcloud aliyun b2",
    kind: "account",
    hosts: "--endpoint-url --endpoint",
  },
  {
    names: "apt apt-get aptitude yum dnf zypper apk snap flatpak brew",
    kind: "service",
    sub: "update upgrade install download source search info check-update refresh dist-upgrade full-upgrade",
  },
  {
    names: "pip pip3 npm yarn pnpm gem cargo go composer mvn gradle bundle",
    kind: "service",
    hosts: "-i --index-url --extra-index-url --registry --source",
  },
  {
    names: "docker podman nerdctl crictl skopeo buildah helm ctr",
    kind: "service",
    sub: "pull push search login run build copy inspect repo_update repo_add manifest_inspect dependency_update",
    hosts: "-H --host",
  },
  { names: "kubectl oc k9s kubecolor", kind: "service", sub: "", hosts: "-s --server" },
  {
    names:
      "psql pg_isready pg_dump mysql mariadb mysqladmin mysqldump redis-cli valkey-cli mongosh mongo mongodump clickhouse-client cqlsh influx " +
      "etcdctl consul vault nomad ldapsearch ldapwhoami rabbitmqadmin kcat kafkacat logger smbstatus",
    kind: "service",
    sub: "",
    hosts: "-h --host -H --server --endpoints -http-addr -address --address -n -b -u",
  },
];
