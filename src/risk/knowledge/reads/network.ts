/** What only reads of the programs that look at networks and ask other hosts, from their man pages (Debian 12). */
import type { ReadTable } from "../../reads.ts";

const opensslForms = "-inform= -outform= -noout -text -nameopt= -certopt= -reqopt= -help";
const opensslParts =
  "-subject -issuer -serial -dates -startdate -enddate -checkend= -checkhost= -checkemail= -checkip= -fingerprint -hash -subject_hash " +
  "-issuer_hash -email -ocsp_uri -ocspid -purpose -modulus -pubkey -alias -ext= -next_serial -pubin -md5 -sha1 -sha256 -sha384 -sha512";
const listsConnections = "-f= --family= -4 -6 -0";

// biome-ignore format: filled to the width
export const networkReads: ReadTable = {
  ss: { names: true,
    options: `${listsConnections} -a --all -A= --query= --socket= -b --bpf -B --bound-inactive -e --extended -h --help -H --no-header ` +
      "-i --info -l --listening -m --memory -M --mptcp --inet-sockopt -n --numeric -N= --net= -o --options -O --oneline -p --processes " +
      "-Q --no-queues -r --resolve -s --summary -S --sctp -t --tcp -T --threads --tos --cgroup --tipcinfo --tipc -u --udp -d --dccp -V " +
      "--version -w --raw -x --unix --vsock --xdp -Z --context -z --contexts" },
  netstat: { names: true,
    options: "-a --all -A= --protocol= -e --extend -F --fib -g --groups -i --interfaces -I= -l --listening -M --masquerade -n --numeric " +
      "--numeric-hosts --numeric-ports --numeric-users -N --symbolic -o --timers -p --program --programs -r --route -s --statistics " +
      "-t --tcp -u --udp -U --udplite -S --sctp -v --verbose -w --raw -W --wide -x --unix -4 -6 -C --cache -Z -V --version -h --help" },
  ip: { options: "-0 -4 -6 -a -all -B -M -D -I -br -brief -c -color -color=always -color=auto -d -details -f= -family= -h -human " +
    "-human-readable -iec -j -json -l= -loops= -N -Numeric -n= -netns= -o -oneline -p -pretty -r -resolve -rc= -s -s -ss -stats -statistics -t " +
    "-timestamp -ts -tshort -V -Version --json --brief --color" },
  tc: { names: /^(q|qdisc|c|class|f|filter|chain|action|actions|s|sh|show|l|ls|list|get|dev|parent|ingress|egress|root|block|pref|protocol|ip|all|help|lo|[a-z][\w-]*\d[\w.@-]*|\w*:\w*|\d+|gact|police|mirred)$/,
    options: "-V -Version -s -stats -statistics -d -details -c -color -j -json -p -pretty -o -oneline -n= -netns= -N -Numeric -g -graph -i -iec -r -raw -nm -name -t -timestamp" },
  bridge: { names: true,
    options: "-V -Version -s -stats -statistics -d -details -c -compressvlans -color -j -json -p -pretty -o -oneline -n= -netns= -N -Numeric -g -graph " +
      "-i -iec -r -raw -nm -name -t -timestamp" },
  "brctl teamdctl": { options: "-v", names: true },
  "ovs-ofctl ovs-appctl ovn-appctl": { names: true,
    options: "-f= --format= --no-heading -t= --timeout= --oneline --columns= --names --no-names --sort --rsort -O= --protocols= --color --if-exists" },
  ipvsadm: { names: true,
    options: "-L -l --list -S --save -n --numeric -c --connection --stats --rate --thresholds --persistent-conn --timeout --daemon --sort --nosort --exact " +
      "-t= --tcp-service= -u= --udp-service= -f= --fwmark-service= -6" },
  conntrack: { names: true,
    options: "-L --dump -G --get -S --stats -C --count -E --event -p= --proto= -s= --src= --orig-src= -d= --dst= --orig-dst= -r= --reply-src= " +
      "-q= --reply-dst= --sport= --dport= --orig-port-src= --orig-port-dst= --reply-port-src= --reply-port-dst= -f= --family= --state= " +
      "-m= --mark= -n= --src-nat= -g= --dst-nat= -j= --any-nat= -o= --output= -z --zero-none -u= --status= -w= --zone= -i= --id= -b= -e=" },
  "iptables ip6tables iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft ebtables arptables": { names: true,
    options: "-L --list -S --list-rules -C --check -t= --table= -n --numeric -v --verbose -x --exact --line-numbers -w --wait -W= --Ln --Lc --Lx " +
      "-p= --protocol= -s= --source= -d= --destination= -i= --in-interface= -o= --out-interface= -j= --jump= -m= --match= --dport= --sport= " +
      "--destination-port= --source-port= --dports= --sports= --state= --ctstate= --icmp-type= --comment= -4 -6 -V --version -h --help" },
  "iptables-save ip6tables-save iptables-nft-save ip6tables-nft-save iptables-legacy-save ip6tables-legacy-save ebtables-save arptables-save":
    { options: "-c --counters -t= --table= -V --version -h" },
  nft: { options: "-a --handle -c --check -j --json -n --numeric -N --reversedns -s --stateless -S --service -u --guid -p --numeric-protocol " +
    "-y --numeric-priority -t --terse -T --numeric-time -o --optimize -e --echo -v --version -V -h --help",
    sub: { "list describe monitor": { names: /^[^;\n]*$/ } } },
  ipset: { sub: { "list save test version -L help": { names: true, options: "-n -name -t -terse -o= -output= -s -sorted -q -quiet -r -resolve" } } },
  ufw: { options: "--dry-run", sub: { "status show version app_list app_info": { names: true },
    "allow deny reject limit delete enable reload insert prepend route": { names: true } } },
  "firewall-cmd": { names: true,
    options: "--state --check-config --permanent --zone= --policy= --direct --ipset= --icmptype= --service= --helper= --version -V -q --quiet -h --help " +
      "--list-all --list-all-zones --list-all-policies --list-ports --list-services --list-protocols --list-sources --list-interfaces " +
      "--list-rich-rules --list-forward-ports --list-icmp-blocks --list-source-ports --list-lockdown-whitelist-commands --get-zones " +
      "--get-active-zones --get-default-zone --get-services --get-icmptypes --get-policies --get-active-policies --get-ipsets " +
      "--get-log-denied --get-target --get-entries --get-zone-of-interface= --get-zone-of-source= --get-all-chains --get-all-rules " +
      "--get-rules --get-description --get-short --info-zone= --info-policy= --info-service= --info-ipset= --info-icmptype= --info-helper= " +
      "--query-port= --query-service= --query-source= --query-interface= --query-protocol= --query-masquerade --query-panic " +
      "--query-rich-rule= --query-lockdown --query-forward" },
  "fail2ban-client": { options: "-v -q -V --version -h --help", sub: { "status get ping version banned": { names: true } } },
  ethtool: { names: true,
    options: "-i --driver -S --statistics -a --show-pause -c --show-coalesce -g --show-ring -k --show-features --show-offload -l --show-channels " +
      "-m --module-info -n -u --show-nfc --show-ntuple -x --show-rxfh-indir --show-rxfh -T --show-time-stamping -P --show-permaddr " +
      "--phy-statistics --show-eee --show-fec --show-priv-flags --show-phys -d --register-dump -e --eeprom-dump --json --debug= " +
      "-I --include-statistics --groups= --all-groups --src= --show-tunnels --show-module --show-pse --get-plca-cfg --get-plca-status -h --help --version" },
  "route arp": { names: true, options: "-n --numeric -e --extend -v --verbose -F --fib -C --cache -A= -4 -6 -a -i= --device= -H= --hw-type= -V -h" },
  "ifconfig iwconfig": { names: true, options: "-a -s -v --version" },
  nmcli: { options: "-a --ask -c= --colors= -e= --escape= -f= --fields= -g= --get-values= -m= --mode= -o --overview -p --pretty -t --terse -w= --wait= " +
    "-v --version --active --order=",
    sub: { "general_status general_permissions device_status device_show device_lldp device_wifi_list connection_show dev_status dev_show con_show d_show c_show": {
        names: /^(?!rescan|connect|hotspot|show-password).*$/ },
      "d_s c_s dev_wifi_list d_wifi_list con_s dev_s d_status c_show": { names: /^(?!rescan|connect|hotspot|show-password).*$/ },
      // Behind `wifi` any word may be the beginning of `connect`.
      "device_wifi dev_wifi d_wifi g d dev c con n r networking_connectivity general networking device connection radio radio_wifi radio_wwan radio_all": {} } },
  resolvectl: {
    options: "-4 -6 -i= --interface= -p= --protocol= -t= --type= -c= --class= --cname --validate --synthesize --cache --zone --trust-anchor --network " +
      "--service-address --service-txt --search --raw --legend --no-pager --json= --stale-data --relax-single-label -h --help --version",
    sub: { "status statistics dns domain show-cache show-server-state": { names: /^[a-z]+[a-z\d]*\d$/ }, "query": { names: true } },
  },
  networkctl: { sub: { "list status lldp cat": { names: true } },
    options: "-a --all -4 -6 -l --full -n= --lines= -s --stats --no-pager --no-legend --json= --runtime -i= --interface= -p= --protocol= -t= --type= -c= " +
      "--class= --cname --validate --synthesize --cache --zone --trust-anchor --network --service-address --service-txt --search --raw " +
      "--legend --stale-data --relax-single-label -h --help --version" },
  "systemd-resolve": { names: true, options: "--status --statistics -4 -6 -i= --interface= -t= --type= -c= --class= --no-pager --cname --search --legend" },
  "ping ping6": { names: true,
    options: "-4 -6 -a -A -b -B -c= --count= -D -e= -h -i= -I= -l= -L -m= -M= -n -N= -O -p= -q -Q= -r -R -s= -S= -t= -T= -U -v -V -w= -W= -x=" },
  fping: { names: true,
    options: "-a --alive -A --addr -b= --size= -B= --backoff= -c= --count= -C= --vcount= -d --rdns -D --timestamp -e --elapsed -g --generate -H= --ttl= -i= --interval= " +
      "-I= --iface= -m --all -M --dontfrag -n --name -N --netdata -o --outage -O= --tos= -p= --period= -q --quiet -Q= --squiet= -r= --retry= -R " +
      "--random -s --stats -S= --src= -t= --timeout= -T= -u --unreach -v -x= --reachable= -4 -6" },
  arping: { names: true, options: "-0 -b -c= -D -f -I= -i= -q -w= -W= -V -h" },
  "traceroute traceroute6 tracepath tcptraceroute lft traceroute-nanog": { names: true,
    options: "-4 -6 -I --icmp -T --tcp -U --udp -UL -D --dccp -P= --protocol= -d -F --dont-fragment -f= --first= -g= -i= --interface= -m= --max-hops= " +
      "-N= --sim-queries= -n -p= --port= -t= --tos= -l= -w= --wait= -q= --queries= -r -s= --source= -z= --sendwait= -e --extensions -A " +
      "--as-path-lookups -M= --module= -O= --options= --sport= --fwmark= --mtu --back -b -V --version --help" },
  mtr: { names: true,
    options: "-4 -6 -a= --address= -b --show-ips -B= --bitpattern= -c= --report-cycles= -C --csv -e --mpls -f= --first-ttl= -G= --gracetime= -i= " +
      "--interval= -I= --interface= -j --json -l --raw -L= --localport= -m= --max-ttl= -M= --mark= -n --no-dns -o= --order= -p --split -P= " +
      "--port= -Q= --tos= -r --report -s= --psize= -S --sctp -T --tcp -t --curses -u --udp -U= --max-unknown= -w --report-wide -x --xml " +
      "-y= --ipinfo= -z --aslookup -Z= --timeout= -v --version -h --help" },
  dig: { names: true, options: "-4 -6 -b= -c= -i -m -p= -q= -r -t= -u -v -x= -h" },
  "host nslookup": { names: true, options: "-4 -6 -a -A -c= -C -d -i -l -m= -N= -p= -r -R= -s -t= -T -U -v -V -w -W= -type= -query= -debug -timeout= " +
    "-port= -class= -vc -retry= -recurse -norecurse -sil" },
  drill: { names: true, options: "-4 -6 -a -D -p= -r -S -s -t -T -u -V= -v -x -z" },
  "kdig whois resolveip dnsget avahi-resolve avahi-browse geoiplookup ipcalc sipcalc whatmask": { names: true,
    options: "-4 -6 -a -b -c -d -D -g -i -m -n -p= -q -r -s -S -t -T -v -V -x= -z" },
  delv: { names: true, options: "-4 -6 -b= -c= -i -m -p= -q= -t= -v -x=" },
  nmap: { names: true,
    options: "-4 -6 -d -F -g= --source-port= -n -O -p= -Pn -PE -PS -PA -PU -r -R -sn -sP -sT -sS -sU -sV -sL -T= -T0 -T1 -T2 -T3 -T4 -v -vv " +
      "--exclude= --host-timeout= --max-rate= --max-retries= --min-rate= --open --packet-trace --reason --top-ports= --traceroute --version " +
      "--version-all --version-intensity= --version-light --iflist -e=" },
  nping: { names: true, options: "-c= --count= -p= --dest-port= --tcp --tcp-connect --icmp --delay= -v -v1 -v2 -q -4 -6 --hide-sent -N -h --help -V --version" },
  "hping3 httping bing": { names: true, options: "-c= -i= -p= -t= -w= -4 -6 -n -q -s -S -g= -h= -l -v -G --icmp --udp --count= --delay=" },
  "arp-scan nbtscan sslscan testssl.sh ethstatus qperf netperf iperf iperf3 speedtest speedtest-cli": { names: true,
    options: "-c= -p= -t= -P= -R -u -J -4 -6 -i= -b= -n= -w= -l -q -v --version --simple --json --no-colour --quiet --port= --time= --parallel= --reverse --udp" },
  tcpdump: { names: true,
    options: "-# --number -A -b -B= --buffer-size= -c= --count -D --list-interfaces -e -f -H -i= --interface= -j= --time-stamp-type= " +
      "-J --list-time-stamp-types -K --dont-verify-checksums -l -L --list-data-link-types -n -nn -N -O --no-optimize -p --no-promiscuous-mode -r= " +
      "--immediate-mode -q -Q= --direction= -s= --snapshot-length= -S --absolute-tcp-sequence-numbers -t -tt -ttt -tttt -ttttt -T= -u -v -vv " +
      "-vvv -x -xx -X -XX -y= --linktype= -G= -W= --micro --nano --version --print" },
  "tshark dumpcap": { names: true,
    options: "-2 -a= -b= -B= -c= -D -d= -e= -E= -f= -F= -i= -j= -J= -l -L -n -N= -O= -p -P -q -Q -r= -R= -s= -S= -t= -T= -u= -U= -V -x -y= -Y= -z= -h -v " +
      "--color --list-interfaces --no-duplicate-keys" },
  ngrep: { names: true, options: "-A= -c= -d= -D -e -h -i -l -L -M -n= -N -p -P= -q -R -s= -S= -t -T -v -V -w -W= -x -X" },
  lsof: { names: true,
    options: "-a -b -c= +c= -C -d= +d= +D= -E +E -F? -f -g? -G= -h -i? -K -l +L -M +M -n -N -o -O -P -p= -R -s -S? -t -T? -u= -U -V -v -w +w -x -X -Z" },
  curl: { names: true,
    options: "-# -0 -1 -2 -3 -4 -6 -A= -d= -D=- --dump-header=- -E= -e= -o= -u= -x= -z= --time-cond= " +
      "--cert-type= --key-type= --pass= --cert= --trace-time --trace-ids --out-null --cacert= --capath= --data= --data-ascii= --data-binary= --data-raw= --data-urlencode= --json= " +
      "--output= --user= --unix-socket= --proxy= --oauth2-bearer= --cert= --key= -e= -f -g -G -H= -i -I -k -L -l -m= -N -q -r= -s -S -v -V -w= -X= -y= -Y= -Z --basic --anyauth --digest --negotiate " +
      "--ntlm --aws-sigv4= --cert-status --ciphers= --compressed --connect-timeout= --crlf --curves= --disable --disable-eprt --disable-epsv " +
      "--expect100-timeout= --fail --fail-early --fail-with-body --ftp-pasv --ftp-skip-pasv-ip --get --globoff --happy-eyeballs-timeout-ms= " +
      "--haproxy-protocol --head --header= --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only " +
      "--ignore-content-length --include --insecure --interface= --ipv4 --ipv6 --keepalive-time= --limit-rate= --list-only --local-port= " +
      "--location --max-filesize= --max-redirs= --max-time= --no-alpn --no-buffer --no-keepalive --no-npn --no-progress-meter --no-sessionid " +
      "--noproxy= --parallel --parallel-max= --path-as-is --progress-bar --proto= --proto-default= --proto-redir= --range= --rate= --raw " +
      "--referer= --request= --request-target= --resolve= --retry= --retry-all-errors --retry-connrefused --retry-delay= --retry-max-time= " +
      "--show-error --silent --speed-limit= --speed-time= --ssl --ssl-reqd --styled-output --suppress-connect-headers --tcp-fastopen " +
      "--tcp-nodelay --tls-max= --tls13-ciphers= --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --user-agent= --verbose --version " +
      "--write-out= --use-ascii -B --url= --next -:" },
  "wget wget2": { names: true,
    options: "-4 -6 -d -nv -O= --output-document= -q -S -T= -t= -U= -v -w= -c --debug --quiet --verbose --no-verbose --server-response --spider --timeout= --dns-timeout= " +
      "--connect-timeout= --read-timeout= --tries= --wait= --waitretry= --random-wait --retry-connrefused --retry-on-http-error= --user-agent= " +
      "--header= --referer= --max-redirect= --no-check-certificate --no-dns-cache --no-cache --no-cookies --no-proxy --inet4-only --inet6-only " +
      "--prefer-family= --secure-protocol= --content-on-error --save-headers --compression= --no-hsts --method= --progress= --show-progress " +
      "--no-config -V --version -h --help --auth-no-challenge --http-keep-alive --no-http-keep-alive --limit-rate= --quota= -Q= --bind-address=" },
  "nc ncat netcat nc.openbsd nc.traditional": { names: true,
    options: "-4 -6 -C -d -D -h -I= -i= -M= -m= -N -n -O= -P= -q= -r -S -s= -T= -t -u -U -V= -v -vv -w= -W= -Z -z --ssl --recv-only --send-only --wait= " +
      "--idle-timeout= --verbose --nodns --crlf --ssl-verify --ssl-servername= --udp --sctp --version" },
  socat: { names: true, options: "-4 -6 -b= -d -dd -D -h -l -ly -s -t= -T= -u -U -v -V -x" },
  telnet: { names: true, options: "-4 -6 -8 -a -c -d -E -e= -K -l= -L -r -x" },
  "ldapsearch": { names: true,
    options: "-D= -a= -A -b= -c -d= -E= -f= -F= -h= -H= -I -l= -L -LL -LLL -M -n -N -o= -O= -p= -P= -Q -R= -s= -S= -u -U= -v -V -VV -X= -x -Y= -z= -Z -ZZ" },
  "ldapwhoami ldapcompare": { names: true, options: "-d= -H= -h= -n -N -o= -O= -p= -P= -Q -R= -U= -v -V -x -X= -Y= -Z -ZZ -z" },
  "snmpwalk snmpget snmpbulkwalk snmpbulkget snmpgetnext snmptable snmpstatus snmpdf": { names: true,
    options: "-a= -A= -c= -C= -Cc -CB -Ch -Ci -Cp -d -e= -E= -h -I= -l= -Le -Lo -Ln -m= -M= -n= -O= -Oq -Ov -On -Os -Ot -P= -r= -t= -u= -v= -v1 -v2c -v3 -V -x= -X= -Z=" },
  "grpcurl": { names: true, options: "-plaintext -insecure -authority= -connect-timeout= -keepalive-time= -max-time= -max-msg-sz= -servername= -v -vv -format= -emit-defaults " +
    "-protoset= -proto= -import-path= -H= -rpc-header= -reflect-header= -user-agent= -describe" },
  openssl: { options: "-help",
    sub: {
      x509: { names: true, options: `${opensslForms} ${opensslParts} -in= -trustout -C` },
      s_client: { names: true,
        options: "-connect= -host= -port= -servername= -noservername -verify= -verify_return_error -verify_quiet -verify_hostname= -verify_email= -verify_ip= " +
          "-CAfile= -CApath= -no-CAfile -no-CApath -no-CAstore -showcerts -brief -status -prexit -state -msg -debug -nbio -quiet -ign_eof -no_ign_eof " +
          "-tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -no_ssl3 -dtls -dtls1 -dtls1_2 -cipher= -ciphersuites= -curves= " +
          "-cert= -key= -cert_chain= -groups= -sigalgs= -starttls= -xmpphost= -name= -alpn= -nextprotoneg= -tlsextdebug -reconnect -crlf -ct -noct -4 -6 -timeout -mtu= " +
          "-serverinfo= -purpose= -nameopt= -certform= -no_comp -comp -legacy_renegotiation -legacy_server_connect -security_debug" },
      "req crl": { names: true, options: `${opensslForms} ${opensslParts} -in= -verify -CAfile= -CApath= -lastupdate -nextupdate -crlnumber -batch` },
      verify: { names: true,
        options: "-CAfile= -CApath= -no-CAfile -no-CApath -untrusted= -trusted= -crl_check -crl_check_all -CRLfile= -purpose= -verbose -show_chain " +
          "-verify_hostname= -verify_ip= -partial_chain -x509_strict -check_ss_sig -attime= -nameopt= -verify_depth=" },
      ocsp: { names: true,
        options: "-issuer= -cert= -serial= -url= -host= -path= -CAfile= -CApath= -VAfile= -no_nonce -nonce -resp_text -req_text -text -header= -timeout= " +
          "-noverify -verify_other= -no_cert_verify -status_age= -validity_period=" },
      "dgst md5 sha1 sha256": { names: true,
        options: "-r -c -d -hex -binary -list -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-512 -blake2b512 -xoflen=" },
      "version": { options: "-a -b -d -e -f -m -o -p -r -v -c" },
      ciphers: { names: true, options: "-s -v -V -ssl3 -tls1 -tls1_1 -tls1_2 -tls1_3 -psk -srp -stdname -convert= -ciphersuites=" },
      "list": { options: "-1 -commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -public-key-algorithms " +
        "-public-key-methods -disabled -options= -engines -providers -verbose -mac-algorithms -kdf-algorithms -random-generators" },
      crl2pkcs7: { options: "-certfile= -in= -inform= -nocrl -outform=" },
      storeutl: { names: true, options: "-noout -certs -crls -text -r" },
      "errstr prime rand asn1parse pkcs7": { names: true,
        options: "-hex -base64 -bits= -checks= -generate -safe -inform= -in= -i -offset= -length= -dump -dlimit= -strparse= -strictpem -print_certs " +
          "-noout -text -print" },
      "speed": { names: true, options: "-evp= -seconds= -bytes= -elapsed -mr -multi= -connect= -www= -new -reuse -time= -tls1_2 -tls1_3 -CAfile=" },
      "enc base64": { options: "-a -A -base64 -d -e -in= -bufsize= -nopad" },
    } },
  "ssh-keyscan": { names: true, options: "-4 -6 -c -D -H -p= -T= -t= -v" },
  "ssh-keygen": { names: true, options: "-l -L -B -F= -f= -E= -Q -v" },
  "ssh-add": { options: "-l -L -E= -q" },
  "keytool certtool certutil": { names: true,
    options: "-storepass= -keypass= -storepass:env= -keypass:env= -list -printcert -printcertreq -printcrl -v -rfc -sslserver= -alias= -keystore= -storetype= -file= -cacerts -jarfile= -L -V -d= -n= -h= -a -r -u= " +
      "-i --infile= --certificate-info --crl-info --inder --inraw" },
  wg: { names: true },
  "ovsdb-client": { names: true, options: "-f= --format= --no-headings --pretty --bare --data= -t= --timeout= -v -V --version -h --help" },
  "ovn-trace": { names: true, options: "--detailed --summary --minimal --all --ovs --friendly-names --no-friendly-names --ct= -V --version" },
  teamnl: { names: true, options: "-p= --port_name= -a= --array_index= -h --help" },
  iwlist: { names: /^([a-z]\w*\d\w*|channel|frequency|rate|bitrate|keys|power|txpower|retry|event|auth|modulation|genie)$/, options: "--version --help" },
  "rfkill ipsec swanctl strongswan": { names: true, options: "--list-certs --list-pols --list-pools --list-authorities --list-algs --raw --pretty --noblock -J --json -n --noheadings -o= --output= -r --raw --output-all --list-sas --list-conns --stats --ike= -P --pretty" },
  "vtysh birdc birdcl vppctl": { options: "-c= -d= -E -s= -r -v" },
  lldpctl: { names: true, options: "-d -f= --format= -a" },
  fs_cli: { options: "-x= -H= --host= -P= --port= -t= --timeout= -T= --connect-timeout= -q --quiet -n -s" },
};
