/** What only reads of the programs that read text, files and archives, and of the shell's own commands. */
import type { ReadTable } from "../../reads.ts";

export const textReads: ReadTable = {
  cat: {
    options:
      "-A -b -E -e --help -n --number --number-nonblank -s --show-all --show-ends --show-nonprinting --show-tabs " +
      "--squeeze-blank -T -t -u -v --version",
  },
  tac: { options: "-b --before --help -r --regex -s= --separator= --version" },
  nl: {
    options:
      "-b= --body-numbering= -d= -f= --footer-numbering= -h= --header-numbering= --help -i= --join-blank-lines= -l= " +
      "--line-increment= -n= --no-renumber --number-format= --number-separator= --number-width= -p -s= " +
      "--section-delimiter= --starting-line-number= -v= --version -w=",
  },
  head: {
    options: "--bytes= -c= --help --lines= -n= -q --quiet --silent -v --verbose --version -z --zero-terminated",
  },
  tail: {
    options:
      "--bytes= -c= -F -f --follow --help --lines= --max-unchanged-stats= -n= --pid= -q --quiet --retry -s= --silent " +
      "--sleep-interval= -v --verbose --version -z --zero-terminated",
  },
  more: {
    options:
      "-c --clean-print -d -e --exit-on-eof -f -h --help -l --lines= --logical -n= --no-pause -p --plain --print-over " +
      "-s --silent --squeeze -u -V --version",
  },
  "less zless": {
    options:
      "-? -A -a --auto-buffers -B -b= --buffers= -C -c --chop-long-lines --CLEAR-SCREEN --clear-screen -E -e -F -f " +
      "--force -G -g -h= --help --HILITE-SEARCH --hilite-search --HILITE-UNREAD --hilite-unread -I -i --IGNORE-CASE " +
      "--ignore-case -J -j= --jump-target= -K -L --LINE-NUMBERS --line-numbers --LONG-PROMPT --long-prompt -M -m " +
      "--max-back-scroll= --max-forw-scroll= --mouse -N -n --no-init --no-keypad --no-lessopen -p= --pattern= -Q -q " +
      "--QUIET --quiet --QUIT-AT-EOF --quit-at-eof --quit-if-one-screen --quit-on-intr -R -r --RAW-CONTROL-CHARS " +
      "--raw-control-chars -S -s --SEARCH-SKIP-SCREEN --search-skip-screen --SILENT --silent --squeeze-blank-lines " +
      "--status-column --tabs= -U -u --UNDERLINE-SPECIAL --underline-special --use-color -V --version -W -w " +
      "--wheel-lines= --window= -X -x= -y= -z=",
  },
  "zmore zdiff zcmp": { options: "-h --help -V --version" },
  "bzdiff bzcmp": {},
  zcat: { options: "-f --force -h --help -l --list -q --quiet -V -v --verbose --version" },
  most: { options: "-b -C -d -h -k -M -s -t -u -V -v -w -z" },
  "bat batcat": {
    options:
      "-A --color= --decorations= -f --file-name= --force-colorization -H= -h --help --highlight-line= --italic-text= " +
      "-L -l= --language= --line-range= --list-languages --list-themes -n --number -P -p --paging= --plain -r= " +
      "--show-all --show-nonprinting --squeeze-blank --style= --tabs= --terminal-width= --theme= -u -V --version " +
      "--wrap=",
  },
  strings: {
    options:
      "-a --all --bytes= -d --data -e= --encoding= -f -h --help --include-all-whitespace -n= -o --output-separator= " +
      "--print-file-name --radix= -s= -t= -U= --unicode= -V -v --version -w",
  },
  od: {
    options:
      "-A= -a --address-radix= -b -c -d --endian= -f --format= --help -i -j= -l -N= -o --output-duplicates " +
      "--read-bytes= -S= -s --skip-bytes= --strings= -t= --traditional -v --version -w --width -x",
  },
  "hexdump hd": {
    options:
      "-b -C -c --canonical --color -d -e= -f= --format= --format-file= -h --help -L --length= -n= --no-squeezing -o " +
      "--one-byte-char --one-byte-octal -s= --skip= --two-bytes-decimal --two-bytes-hex --two-bytes-octal -V -v " +
      "--version -x",
  },
  hexyl: {
    options:
      "--block-size= --border= --bytes= -c= --color= --display-offset= -h --help --length= -n= --no-squeezing -o= -s= " +
      "--skip= -V -v --version",
  },
  wc: { options: "--bytes -c --chars --help -L -l --lines -m --max-line-length --version -w --words" },
  cksum: {
    options:
      "-a= --algorithm= -c --check --debug --help --ignore-missing -l= --length= --quiet --status --strict --tag " +
      "--untagged --version -w --warn -z --zero",
  },
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum": {
    options:
      "-b --binary -c --check --help --ignore-missing --quiet --status --strict -t --tag --text --version -w --warn " +
      "-z --zero",
  },
  b2sum: {
    options:
      "-b --binary -c --check --help --ignore-missing -l= --length= --quiet --status --strict -t --tag --text " +
      "--version -w --warn -z --zero",
  },
  sum: { options: "--help -r -s --sysv --version" },
  shasum: {
    options:
      "-0 --01 -a= --algorithm= -b --binary -c --check -h --help --ignore-missing -q --quiet -s --status --strict -t " +
      "--tag --text -U --UNIVERSAL -v --version -w --warn",
  },
  bzcat: { options: "-h --help -k --keep -q --quiet -s --small -v --verbose" },
  "xzcat lzcat": {
    options:
      "-H -h --help --ignore-check -k --keep --long-help -M= --memlimit= --memory= --no-warn -Q -q --quiet --robot " +
      "--single-stream -T= --threads= -V -v --verbose --version",
  },
  "xzgrep xzegrep xzfgrep bzgrep zegrep zfgrep": {
    options:
      "-A= -a --after-context= -B= -b --before-context= -C= -c --color --colour --context= --count -E -e= " +
      "--extended-regexp -F --files-with-matches --files-without-match --fixed-strings -G -H -h --help -i " +
      "--ignore-case --invert-match -L -l --line-number --line-regexp -m= --max-count= -n --no-filename --no-messages " +
      "-o --only-matching -P -q --quiet --regexp= -s --silent --text -v --version -w --with-filename --word-regexp -x " +
      "-y",
  },
  "zstdcat lz4cat": { options: "-H -h --help -q --quiet -V -v --verbose --version" },
  cut: {
    options:
      "-b= --bytes= -c= --characters= --complement -d= --delimiter= -f= --fields= --help -n --only-delimited " +
      "--output-delimiter= -s --version -z --zero-terminated",
  },
  paste: { options: "-d= --delimiters= --help -s --serial --version -z --zero-terminated" },
  join: {
    options:
      "-1= -2= -a= --check-order -e= --header --help -i --ignore-case -j= --nocheck-order -o= -t= -v= --version -z " +
      "--zero-terminated",
  },
  comm: {
    options: "-1 -2 -3 --check-order --help --nocheck-order --output-delimiter= --total --version -z --zero-terminated",
  },
  cmp: {
    options: "-b --bytes= --help -i= --ignore-initial= -l -n= --print-bytes --quiet -s --silent -v --verbose --version",
  },
  "diff colordiff": {
    options:
      "-a -B -b --brief -C= -c --color --context -D= -d -E -e --ed --exclude= --exclude-from= --expand-tabs -F= " +
      "--from-file= --help --horizon-lines= -I= -i --ifdef= --ignore-all-space --ignore-blank-lines --ignore-case " +
      "--ignore-file-name-case --ignore-matching-lines= --ignore-space-change --ignore-tab-expansion " +
      "--ignore-trailing-space --initial-tab --label= --left-column --line-format= --minimal -N -n --new-file " +
      "--no-dereference --no-ignore-file-name-case --normal -p --palette= -q -r --rcs --recursive " +
      "--report-identical-files -S= -s --show-c-function --show-function-line= --side-by-side --speed-large-files " +
      "--starting-file= --strip-trailing-cr --suppress-blank-empty --suppress-common-lines -T -t --tabsize= --text " +
      "--to-file= -U= -u --unidirectional-new-file --unified -v --version -W= -w --width= -X= -x= -y -Z",
  },
  diff3: {
    options:
      "-3 -A -a -E -e --easy-only --ed --help -i --initial-tab -L= --label= -m --merge --overlap-only --show-all " +
      "--show-overlap --strip-trailing-cr -T --text -v --version -X -x",
  },
  sdiff: {
    options:
      "-a -B -b -d -E --expand-tabs -H --help -I= -i --ignore-all-space --ignore-blank-lines --ignore-case " +
      "--ignore-matching-lines= --ignore-space-change --ignore-tab-expansion --ignore-trailing-space -l --left-column " +
      "--minimal -s --speed-large-files --strip-trailing-cr --suppress-common-lines -t --tabsize= --text -v --version " +
      "-W -w= --width= -Z",
  },
  fold: { options: "-b --bytes --help -s --spaces --version -w= --width=" },
  fmt: {
    options:
      "-c --crown-margin -g= --goal= --help -p= --prefix= -s --split-only -t --tagged-paragraph -u --uniform-spacing " +
      "--version -w= --width=",
  },
  expand: { options: "--help -i --initial -t= --tabs= --version" },
  unexpand: { options: "-a --all --first-only --help -t= --tabs= --version" },
  pr: {
    options:
      "-a --across -c --columns= -D= -d --date-format= --double-space -e --expand-tabs -F -f --first-line-number= " +
      "--form-feed -h= --header= --help -i --indent= -J --join-lines -l= --length= -m --merge -N= -n " +
      "--no-file-warnings --number-lines -o= --omit-header --omit-pagination --output-tabs --page-width= -r -S -s " +
      "--sep-string --separator --show-control-chars --show-nonprinting -T -t -v --version -W= -w= --width=",
  },
  column: {
    options:
      "-c= -d -E= -e --fillrows -H= -h --help -i= -J --json --keep-empty-lines -L -l= -N= -n= -O= -o= " +
      "--output-separator= --output-width= -p= -R= -r= -s= --separator= -T= -t --table --table-columns= " +
      "--table-columns-limit= --table-header-repeat --table-hide= --table-name= --table-noextreme= --table-noheadings " +
      "--table-order= --table-right= --table-truncate= --table-wrap= --tree= --tree-id= --tree-parent= -V --version " +
      "-W= -x",
  },
  tsort: { options: "--help --version" },
  look: {
    options: "-a --alphanum --alternative -d -f -h --help --ignore-case -t= --terminate= -V --version",
  },
  rev: { options: "-h --help -V --version" },
  "base32 base64": { options: "-d --decode --help -i --ignore-garbage --version -w= --wrap=" },
  basenc: {
    options:
      "--base16 --base2lsbf --base2msbf --base32 --base32hex --base64 --base64url -d --decode --help -i " +
      "--ignore-garbage --version -w= --wrap= --z85",
  },
  xmllint: {
    options:
      "--c14n --debug --dropdtd --encode= --format --html --huge --memory --noblanks --nocatalogs --nocdata --nonet " +
      "--schema= --relaxng= --schematron= --noout --nowarning --nowrap --nsclean --pattern= --pretty= --push --quiet --recover --stream --timing " +
      "--version --xmlout --xpath= " +
      "--help",
  },
  readelf: {
    options:
      "-A -a --all --arch-specific --archive-index -C -c -D -d --debug-dump -w? --decompress --demangle --dyn-syms --dynamic -e " +
      "--enable-checks --file-header -g -H -h --headers --help --hex-dump= --histogram -I -L -l --lint --lto-syms -n " +
      "--no-demangle --no-recurse-limit --notes -p= --program-headers -R= -r --recurse-limit --relocated-dump= " +
      "--relocs -S -s --section-details --section-groups --section-headers --sections --segments --silent-truncation " +
      "--string-dump= --symbols --syms -T -t -u --unwind --use-dynamic -V -v --version --version-info -W --wide -x= " +
      "-z",
  },
  objdump: {
    options:
      "-a --adjust-vma= --all-headers --architecture= --archive-headers -C -D -d --debugging --demangle --disassemble " +
      "--disassemble-all --disassemble-zeroes --disassembler-options= --dynamic-reloc --dynamic-syms -F -f " +
      "--file-headers --file-offsets --full-contents -G -g -H -h --headers --help -i --info --inlines --insn-width= " +
      "-j= -l --line-numbers -M= -m= --no-addresses -p --prefix-addresses --private-headers -R -r --reloc -S -s " +
      "--section= --section-headers --show-all-symbols --source --special-syms --stabs --start-address= " +
      "--stop-address= --syms -T -t -v --version -w --wide -x -z",
  },
  addr2line: {
    options:
      "--no-recurse-limit --recurse-limit --recursion-limit --no-recursion-limit " +
      "-a --addresses -b= --target= -C --demangle -e= --exe= -f --functions -i --inlines -j= --section= -p --pretty-print -r -R -s " +
      "--basenames -v --version -h --help",
    names: true,
  },
  "c++filt": {
    options:
      "--no-strip-underscore --no-recurse-limit --recurse-limit --recursion-limit " +
      "--no-recursion-limit " +
      "-_ -n -p -t -i -r -R -s= --format= --strip-underscore --no-params --types --no-verbose --version --help",
    names: true,
  },
  ts: { options: "-i -m -r -s", names: true },
  envsubst: { options: "-h --help -V --version -v --variables", names: true },
  ccze: { options: "-A --raw-ansi -m= --mode= -l -o= --options= -h --html -V --version -C --convert-date" },
  jc: {
    options:
      "--acpi --airport-s --asciitable --asciitable-m --cbt --cef --cef-s --chage --clf --clf-s " +
      "--crontab-u --csv-s --datetime-iso --dir --email-address --git-log --git-log-s " +
      "--git-ls-remote --gpg --gshadow --hciconfig --history --ini-dup --iostat-s " +
      "--iso-datetime --iwconfig --jwt --kv --ls-s --m3u --mdadm --mpstat-s --openvpn " +
      "--os-prober --pci-ids --pgpass --pidstat-s --ping-s --plist --proc-buddyinfo " +
      "--proc-consoles --proc-cpuinfo --proc-crypto --proc-devices --proc-diskstats " +
      "--proc-filesystems --proc-interrupts --proc-iomem --proc-ioports --proc-loadavg " +
      "--proc-locks --proc-meminfo --proc-modules --proc-mtrr --proc-pagetypeinfo " +
      "--proc-partitions --proc-slabinfo --proc-softirqs --proc-stat --proc-swaps --proc-uptime " +
      "--proc-version --proc-vmallocinfo --proc-vmstat --proc-zoneinfo --proc-driver-rtc " +
      "--proc-net-arp --proc-net-dev --proc-net-dev-mcast --proc-net-if-inet6 --proc-net-igmp " +
      "--proc-net-igmp6 --proc-net-ipv6-route --proc-net-netlink --proc-net-netstat " +
      "--proc-net-packet --proc-net-protocols --proc-net-route --proc-net-unix " +
      "--proc-pid-fdinfo --proc-pid-io --proc-pid-maps --proc-pid-mountinfo " +
      "--proc-pid-numa-maps --proc-pid-smaps --proc-pid-stat --proc-pid-statm --proc-pid-status " +
      "--rsync-s --semver --shadow --stat-s --syslog-s --syslog-bsd --syslog-bsd-s --systeminfo " +
      "--timestamp --toml --top-s --ufw-appinfo --update-alt-gs --vmstat-s --monochrome " +
      "--meta-out " +
      "-a -C -d -h --help -m -M -p -q -r -s -u -v -y -Z --about --force-color --mono --pretty --quiet --raw --slurp --unbuffer " +
      "--version --yaml-out --airport --arp --blkid --cksum --crontab --csv --date --df --dig --dmidecode --dpkg-l --du --env --file " +
      "--find --findmnt --finger --free --fstab --group --hash --hashsum --hosts --id --ifconfig --ini --iostat --ip-address " +
      "--ip-route --iptables --iw-scan --jar-manifest --jobs --last --ls --lsb-release --lsblk --lsmod --lsof --lspci --lsusb --mount " +
      "--mpstat --netstat --nmcli --ntpq --os-release --passwd --pidstat --ping --pip-list --pip-show --postconf --proc --ps " +
      "--resolve-conf --rpm-qi --route --rsync --sfdisk --ss --ssh-conf --sshd-conf --stat --swapon --syslog --sysctl --systemctl " +
      "--systemctl-lj --systemctl-ls --systemctl-luf --time --timedatectl --top --tracepath --traceroute --udevadm --ufw --uname " +
      "--update-alt-q --upower --uptime --url --vmstat --w --wc --who --x509-cert --x509-csr --xml --xrandr --yaml --zipinfo --zpool-iostat " +
      "--zpool-status",
    runs: "operand",
  },
  nm: {
    options:
      "-A -a -B -C -D --debug-syms --defined-only --demangle --dynamic --extern-only -f= --format= -g -h --help -j " +
      "--just-symbols -l --line-numbers -n --no-demangle --no-sort --no-weak --numeric-sort -o -P -p --portability " +
      "--print-armap --print-file-name --print-size --quiet -r --radix= --reverse-sort -S -s --size-sort " +
      "--special-syms --synthetic -t= -U -u --undefined-only -V -v --version -W --with-symbol-versions",
  },
  ldd: { options: "-d --data-relocs --function-relocs --help -r -u --unused -v --verbose --version" },
  "grep egrep fgrep rgrep": {
    options:
      "-A= -a --after-context= -B= -b --basic-regexp --before-context= --binary --binary-files= --byte-offset -C= -c " +
      "--color --colour --context= --count -D= -d= --dereference-recursive --devices= --directories= -E -e= " +
      "--exclude= --exclude-dir= --extended-regexp -F --files-with-matches --files-without-match --fixed-strings -G " +
      "--group-separator= -H -h --help -I -i --ignore-case --include= --initial-tab --invert-match -L -l --label= " +
      "--line-buffered --line-number --line-regexp -m= --max-count= -n --no-filename --no-group-separator " +
      "--no-ignore-case --no-messages --null --null-data -o --only-matching -P --perl-regexp -q --quiet -R -r " +
      "--recursive --regexp= -s --silent -T --text -U -V -v --version -w --with-filename --word-regexp -x -y -Z -z",
  },
  zgrep: {
    options:
      "-A= -a --after-context= -B= -b --before-context= --binary --byte-offset -C= -c --color --context= --count -E " +
      "-e= --extended-regexp -F --files-with-matches --files-without-match --fixed-strings -G -H -h --help -I -i " +
      "--ignore-case --initial-tab --invert-match -L -l --label= --line-buffered --line-number --line-regexp -m= " +
      "--max-count= -n --no-filename --no-messages --null -o --only-matching -P --perl-regexp -q --quiet --regexp= -s " +
      "--silent -T --text -U -V -v --version -w --with-filename --word-regexp -x -Z",
  },
  ag: {
    options:
      "--nopager -0 -A= -a --ackmate --after= --all-text --all-types -B= --before= -C= -c --case-sensitive --color " +
      "--color-line-number= --color-match= --color-path= --column --context= --count --depth= -F --file-search-regex= " +
      "--filename --files-with-matches --files-without-matches --fixed-strings -G= --group -H --heading --help " +
      "--hidden -i --ignore= --ignore-case --ignore-dir= --invert-match -L -l --list-file-types --literal -m= " +
      "--max-count= -n --nocolor --nofilename --nogroup --noheading --nonumbers --norecurse --null --numbers -o " +
      "--one-device --only-matching --parallel --passthrough --passthru --print-long-lines --print0 -Q -r --recurse " +
      "-S -s --search-binary --search-zip --silent --skip-vcs-ignores --smart-case --stats --stats-only -t -U -u " +
      "--unrestricted -V -v --version --vimgrep -W= -w --width= --word-regexp --workers= -z",
  },
  ack: {
    options:
      "-1 -A= --after-context= -B= --before-context= -C -c -f -g= --color --color-colno= --color-filename= --color-lineno= " +
      "--color-match= --column --context --count --files-with-matches --files-without-matches --group -H -h --heading " +
      "--help --help-colors --help-types -I -i --ignore-ack-defaults --ignore-case --ignore-dir= --ignore-file= " +
      "--invert-match -k --known-types -L -l --literal -m= --match= --max-count= -n --no-filename --no-ignore-case " +
      "--perl --python --ruby --php --js --java --cc --cpp --shell --html --css --xml --yaml --json --sql --make --go --rust --ts --csharp --lua " +
      "--no-recurse --no-smart-case --nocolor --noenv --nogroup --noheading --nopager -o -P -p --passthru --print0 " +
      "--proximate -Q -R -r --recurse -S -s --show-types --sort-files -T= -t= --type= -v --version -w --with-filename " +
      "--word-regexp -x",
  },
  ugrep: {
    options:
      "-+ -0 -? -A= -a --after-context= --and= --andnot= --any-line -B= -b --basic-regexp --before-context= --binary " +
      "--binary-files= --bool --break --byte-offset -C= -c --color --colour --column-number --context= --count --cpp " +
      "--csv -D= -d= --decompress --depth= --dereference-recursive --devices= --directories= --dotall -E -e= --empty " +
      "--encoding= --exclude= --exclude-dir= --extended-regexp -F --file-extension= --file-magic= --file-type= " +
      "--files-with-matches --files-without-match --fixed-strings --free-space --fuzzy -G -g= --glob= " +
      "--group-separator -H -h --heading --help --hex --hexdump --hidden -I -i --ignore-binary --ignore-case " +
      "--ignore-files --include= --include-dir= --initial-tab --invert-match -J= -j --jobs= --json -K= -k -L -l " +
      "--label= --line-buffered --line-number --line-regexp --lines -M= -m= --match --max-count= --max-files= " +
      "--max-line= --min-count= --min-line= -N= -n --neg-regexp= --no-dereference --no-filename --no-group-separator " +
      "--no-messages --not= --null -O= -o --only-line-number --only-matching -P -p --passthru --perl-regexp --pretty " +
      "-q --quiet -R -r --range= --recursive --regexp= -s --separator= --silent --smart-case --sort= --stats -T -t= " +
      "--tabs= --text --tree -U -u --ungroup -V -v --version -W -w --width --with-filename --with-hex --word-regexp " +
      "-X -x --xml -Y -y -Z -z --zmax=",
  },
  "pcregrep pcre2grep": {
    options:
      "-A= -a --after-context= -B= --before-context= --binary-files= --buffer-size= -C= -c --color --colour " +
      "--context= --count -D= -d= --devices= --directories= -e= --exclude= --exclude-dir= -F --file-offsets " +
      "--files-with-matches --files-without-match --fixed-strings -H -h --help -I -i --ignore-case --include= " +
      "--include-dir= --invert-match -L -l --label= --line-buffered --line-number --line-offsets --line-regex " +
      "--line-regexp --locale= -M --match-limit= --multiline -N= -n --newline= --no-filename --no-jit --no-messages " +
      "-o --om-separator= --only-matching -q --quiet -r --recursion-limit= --recursive --regex= --regexp= -s --text " +
      "-u -V -v --version -w --with-filename --word-regex --word-regexp -x",
  },
  rg: {
    options:
      "-. -0 -A= -a --after-context= --auto-hybrid-regex -B= -b --before-context= --binary --block-buffered -d= -L --follow " +
      "--passthrough --stop-on-nonmatch --hyperlink-format= --no-column --no-hidden --no-ignore-case " +
      "--byte-offset -C= -c --case-sensitive --color= --colors= --column --context= --context-separator= --count " +
      "--count-matches --crlf --debug --dfa-size-limit= -E= -e= --encoding= --engine= -F --field-context-separator= " +
      "--field-match-separator= --files --files-with-matches --files-without-match --fixed-strings -g= --glob= " +
      "--glob-case-insensitive -H -h --heading --help --hidden -I -i --iglob= --ignore-case " +
      "--ignore-file-case-insensitive --include-zero --invert-match -j= --json -l --line-buffered --line-number " +
      "--line-regexp -M= -m= --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap " +
      "--multiline --multiline-dotall -N -n --no-config --no-filename --no-heading --no-ignore --no-ignore-dot " +
      "--no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent " +
      "--no-ignore-vcs --no-line-number --no-messages --no-mmap --no-pcre2-unicode --no-require-git --no-unicode " +
      "--null --null-data -o --one-file-system --only-matching -P -p --passthru --path-separator= --pcre2 " +
      "--pcre2-version --pretty -q --quiet -r= --regex-size-limit= --regexp= --replace= -S -s --search-zip " +
      "--smart-case --sort= --sortr= --stats -T= -t= --text --threads= --trim --type= --type-add= --type-clear= " +
      "--type-list --type-not= -U -u --unrestricted -V -v --version --vimgrep -w --with-filename --word-regexp -x -z",
  },
  uniq: {
    options:
      "--all-repeated -c --check-chars= --count -D -d -f= --group --help -i --ignore-case --repeated -s= " +
      "--skip-chars= --skip-fields= -u --unique --version -w= -z --zero-terminated",
  },
  xxd: {
    options:
      "-a -autoskip -b -bits -C -c= -capitalize -cols= -E -e -EBCDIC -g= -groupsize= -h -help -i -include -l= -len= " +
      "-n= -o= -p -plain -postscript -ps -r -revert -s= -seek= -u -v -version",
  },
  sort: {
    options:
      "-b --batch-size= --buffer-size= -C -c --check -d --debug --dictionary-order -f --field-separator= -g " +
      "--general-numeric-sort -h --help --human-numeric-sort -i --ignore-case --ignore-leading-blanks " +
      "--ignore-nonprinting -k= --key= -M -m --merge --month-sort -n --numeric-sort --parallel= -R -r --random-sort " +
      "--random-source= --reverse -S= -s --sort= --stable -T= -t= --temporary-directory= -u --unique -V --version " +
      "--version-sort -z --zero-terminated",
  },
  tr: {
    options: "-C -c --complement -d --delete --help -s --squeeze-repeats -t --truncate-set1 --version",
    names: true,
  },
  iconv: {
    options: "-? -c -f= --from-code= --help -l --list -s --silent -t= --to-code= --usage -V --verbose --version",
  },
  "awk gawk": {
    options:
      "--assign= -b --bignum -C -c --characters-as-bytes --copyright -e= -F= --field-separator= -h --help -L --lint " +
      "--lint-old -M -N -n --no-optimize --non-decimal-data -O --optimize -P --posix -r --re-interval -S -s --sandbox " +
      "--source= -t --traditional --use-lc-numeric -V -v= --version",
  },
  "mawk nawk original-awk": { options: "-F= -v=" },
  "sed gsed ssed": {
    options:
      "--debug -E -e= --expression= --help -l= --line-length= -n --null-data --posix --quiet -r --regexp-extended -s " +
      "--sandbox --separate --silent -u --unbuffered --version -z",
  },
  "jq xq tomlq": {
    options:
      "-a --arg= --argjson= --args --ascii-output -C -c --color-output --compact-output -e --exit-status -h --help " +
      "--indent= -j --join-output --jsonargs -M --monochrome-output -n --null-input -R -r --raw-input --raw-output " +
      "--raw-output0 -S -s --seq --slurp --sort-keys --stream --stream-errors --tab --unbuffered -V --version",
  },
  yq: {
    options:
      "--arg= --argjson= -C -c --colors -e --exit-status -h --header-preprocess --help -I= --indent= --input-format= " +
      "-j -M -N -n --no-colors --no-doc --null-input -o= --output-format= -P -p= --prettyPrint -R -r -S --tojson " +
      "--unwrapScalar -V -v --verbose --version -w= --width= --xml-attribute-prefix= --xml-content-name= -Y -y " +
      "--yaml-output --yaml-roundtrip",
  },
  gron: {
    options:
      "-c --colorize -h --help -j --json -m --monochrome --no-sort -s --stream -u --ungron -v --values --version",
  },
  htmlq: {
    options:
      "-a= --attribute= -b= --base= -h --help --ignore-whitespace -p --pretty -r= --remove-nodes= -t --text -V " +
      "--version -w",
  },
  pup: {
    options: "-c --color -h --help -i= --indent= -l= --limit= -n --number -p --plain --pre --version",
  },
  shuf: {
    options:
      "-e --echo --head-count= --help -i= --input-range= -n= -r --random-source= --repeat --version -z " +
      "--zero-terminated",
  },
  numfmt: {
    options:
      "-d= --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header --help --invalid= " +
      "--padding= --round= --suffix= --to= --to-unit= --version -z --zero-terminated",
    names: true,
  },
  seq: { options: "--equal-width -f= --format= --help -s= --separator= --version -w", names: true },
  factor: { options: "--help --version", names: true },
  expr: { options: "--help --version", names: true },
  sleep: { options: "--help --version", names: true },
  yes: { options: "*" },
  "echo : true false printf": { options: "*" },
  clear: { options: "-T= -V -x" },
  tput: { options: "-T= -V", names: true },
  bc: {
    options: "-h --help -i --interactive -l --mathlib -q --quiet -s --standard -v --version -w --warn",
  },
  figlet: { options: "-c -f= -k -l -m= -n -p -r -t -w= -x", names: true },
  cowsay: { options: "-b -d -e= -g -h -l -n -p -s -T= -t -W= -w -y", names: true },
  tee: { options: "-a --append --help -i --ignore-interrupts --output-error -p --version" },
  csvlook: {
    options:
      "-b --blanks -d= --date-format= --datetime-format= --delimiter= -e= --encoding= --escapechar= -H -h --help -I " +
      "-K= -L= -l --linenumbers --locale= --max-column-width= --max-columns= --max-rows= --maxfieldsize= " +
      "--no-doublequote --no-header-row --no-inference -p= -q= --quotechar= --quoting= -S --skip-lines= " +
      "--skipinitialspace --snifflimit= -t --tabs -u= -V -v --verbose --version -y= -z= --zero",
  },
  csvcut: {
    options:
      "-b -C= -c= --columns= -d= --delete-empty-rows --delimiter= -e= --encoding= --escapechar= -H -h --help -K= -l " +
      "--linenumbers --maxfieldsize= -n --names --no-doublequote --no-header-row --not-columns= -p= -q= --quotechar= " +
      "--quoting= -S --skip-lines= --skipinitialspace -t --tabs -u= -V -v --verbose --version -x -z= --zero",
  },
  csvstat: {
    options:
      "-b -c= --columns= --count --csv -d= --delimiter= -e= --encoding= --escapechar= --freq --freq-count= -H -h " +
      "--help -K= -l --len --linenumbers --max --maxfieldsize= --mean --median --min -n --names --no-doublequote " +
      "--no-header-row --nulls -p= -q= --quotechar= --quoting= -S --skip-lines= --skipinitialspace --snifflimit= " +
      "--stdev --sum -t --tabs --type -u= --unique -V -v --verbose --version -y= -z= --zero",
  },
  csvgrep: {
    options:
      "-a --any-match -b -c= --columns= -d= --delimiter= -e= --encoding= --escapechar= -H -h --help -i --invert-match " +
      "-K= -l --linenumbers -m= --match= --maxfieldsize= -n --names --no-doublequote --no-header-row -p= -q= " +
      "--quotechar= --quoting= -r= --regex= -S --skip-lines= --skipinitialspace -t --tabs -u= -V -v --verbose " +
      "--version -z= --zero",
  },
  csvsort: {
    options:
      "-b --blanks -c= --columns= -d= --date-format= --datetime-format= --delimiter= -e= --encoding= --escapechar= -H " +
      "-h --help -I -K= -L= -l --linenumbers --locale= --maxfieldsize= -n --names --no-doublequote --no-header-row " +
      "--no-inference -p= -q= --quotechar= --quoting= -r --reverse -S --skip-lines= --skipinitialspace --snifflimit= " +
      "-t --tabs -u= -V -v --verbose --version -y= -z= --zero",
  },
  getconf: { options: "-a -v=", names: true },
  locale: {
    options:
      "-? -a --all-locales -c --category-name --charmaps --help -k --keyword-name -m --usage -V -v --verbose " +
      "--version",
    names: true,
  },
  "cal ncal": { options: "-1 -3 -A= -B= -b -C -d= -e -H= -h -J -j -M -m= -N -o -p -S -s= -w -y", names: true },
  man: {
    options:
      "-7 -? -a --all --apropos --ascii -E= -e= --encoding= --extension= -f --global-apropos --help -I -i " +
      "--ignore-case -K -k -L= --locale= --location --location-cat -m= --match-case --names-only --nh --nj " +
      "--no-hyphenation --no-justification --no-subpages --path --regex -S= -s= --sections= --systems= --usage -V " +
      "--version -W -w --whatis --where --where-cat --wildcard",
  },
  "whatis apropos": {
    options:
      "-? -a --and -d --debug -e --exact --help -L= -l --locale= --long -m= -r --regex -s= --sections= --systems= " +
      "--usage -V -v --verbose --version -w --wildcard",
    names: true,
  },
  printenv: { options: "-0 --help --null --version", names: true },
  date: {
    names: /^\+/,
    options:
      "-d= --date= --debug --help -I? --iso-8601 -j -R -r= --reference= --resolution= --rfc-2822 --rfc-3339= " +
      "--rfc-email -u --universal --utc --version",
  },
  "hostname dnsdomainname domainname nisdomainname ypdomainname": {
    options:
      "-A -a --alias --all-fqdns --all-ip-addresses -d --domain -f --fqdn -h --help -I -i --ip-address --long --nis " +
      "-s --short -V --version -y --yp",
  },
  datamash: {
    options:
      "-C -f --field-separator= --filler= --format= --full -g= --group= -H --header-in --header-out --headers --help " +
      "-i --ignore-case --narm --no-strict --output-delimiter= -R= --round= -s --skip-comments --sort -t= --version " +
      "-W --whitespace -z --zero-terminated",
  },
  mlr: {
    options:
      "-a= --allow-ragged-csv-input -b --barred -c --c2j --c2l --c2m --c2p --c2t --csv --dkvp -f= --from= --fs= -g= " +
      "-h --headerless-csv-output --help --hi --ho --icsv --idkvp --ifs= --ijson --ijsonl --implicit-csv-header " +
      "--inidx --ipprint --ips= --irs= --itsv --ixtab --j2c --j2p --j2t --json --jsonl -k -M -n -nf= --nidx " +
      "--no-color -nr= -o --ocsv --odkvp --ofmt= --ofs= --ojson --ojsonl --omd --onidx --opprint --ops= --ors= --otsv " +
      "--ivar= --evar= --explode --implode --values --across-records --across-fields --nested-fs= --nested-ps= --percentiles " +
      "--oxtab --pprint --ps= -r --ragged --repifs --right --rs= -t --t2c --t2j --t2p --tsv -u --version -x --xtab",
  },
  "test [ [[": { options: "*" },
  read: { options: "-a= -d= -e -i= -N= -n= -p= -r -s -t= -u=", names: true },
  "mapfile readarray": { options: "-d= -n= -O= -s= -t -u=", names: true },
  "cd pushd popd": { options: "-@ -e -L -n -P", names: true },
  dirs: { options: "-c -l -p -v" },
  type: { options: "-a -f -P -p -t", names: true },
  hash: { options: "-d -l -r -t", names: true },
  wait: { options: "-f -n", names: true },
  jobs: { options: "-l -n -p -r -s", names: true },
  "times caller let": { names: true },
  "return exit logout break continue shift": { names: true },
  help: { options: "-d -m -s", names: true },
  compgen: { options: "-A= -a -b -c -d -e -f -g -j -k -o= -P= -S= -s -u -v -X=", names: true },
  ulimit: {
    options: "-a -b -c -d -e -f -H -i -k -l -m -n -P -p -q -R -r -S -s -T -t -u -v -x",
    names: true,
  },
  umask: { options: "-p -S", names: true },
  getopts: { names: true },
  "local declare typeset readonly export": { options: "-A -a -F -f -g -I -i -l -n -p -r -t -u -x", names: true },
  set: { options: "-- -a -B -b -C -E -e -f -H -h -k -m -n -o= -P -p -r -T -t -u -v -x", names: true },
  shopt: { options: "-o -p -q -s -u", names: true },
  unset: { options: "-f -n -v", names: true },
  "alias unalias": { options: "-a -p" },
  trap: { options: "-l -p" },
  enable: { options: "-a -d -n -p -s", names: true },
  tldr: { names: true, options: "-l --list -p= --platform= -v --version" },
  "fg bg disown suspend bind complete": {},
  info: {
    options: "-a --all -h --help -k= --apropos= -n= --node= -O --usage --subnodes -w --where --location --version",
    names: true,
  },
  dasel: {
    options:
      "-c= --colour -f= --file= -m --multiple -n --null -p= --parser= -r= --read= -s= --selector= -w= --write= -v --version --plain -h --help --pretty= --indent=",
    names: true,
  },
  lnav: { options: "-c= -h -n -q -t -V" },
  goaccess: {
    options:
      "--no-color --no-column-names --no-csv-summary --json-pretty-print --hl-header " +
      "--max-items= --ignore-crawlers --crawlers-only --unknowns-as-crawlers --ignore-panel= " +
      "--enable-panel= --ignore-referrer= --hide-referrer= --ignore-statics= --ignore-status= " +
      "--444-as-404 --4xx-to-unique-count --anonymize-ip --anonymize-level= --all-static-files " +
      "--date-spec= --hour-spec= --double-decode --exclude-ip= -e= -H= --http-protocol= -M= " +
      "--http-method= -r --no-term-resolver --no-ip-validation --no-strict-status --num-tests= " +
      "--process-and-exit --real-os --sort-panel= --static-file= -s --storage --tz= " +
      "--keep-last= --no-parsing-spinner --no-tab-scroll --fname-as-vhost= --html-report-title= " +
      "-a --agent-list --date-format= --datetime-format= -f= -h --help --log-file= --log-format= --no-global-config " +
      "--no-progress --no-query-string -q --time-format= -V --version",
  },
};

// What only reads of the programs that look at files, folders and archives.

export const fileReads: ReadTable = {
  cpio: {
    names: true,
    options:
      "-t --list -i -v --verbose -n --numeric-uid-gid --quiet -H= --format= -c -B -b -s -S --block-size= --version",
  },
  "ls dir vdir": {
    options:
      "-1 -A -a --all --almost-all --author -B -b --block-size= -C -c --classify --color --context -D -d " +
      "--dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory --dired " +
      "--escape -F -f --file-type --format= --full-time -G -g --group-directories-first -H -h --help --hide= " +
      "--hide-control-chars --human-readable --hyperlink -I= -i --ignore= --ignore-backups --indicator-style= --inode " +
      "-k --kibibytes -L -l --literal -m -N -n --no-group --numeric-uid-gid -o -p -Q -q --quote-name --quoting-style= " +
      "-R -r --recursive --reverse -S -s --show-control-chars --si --size --sort= -T= -t --tabsize= --time= " +
      "--time-style= -U -u -v --version -w= --width= -X -x -Z --zero",
  },
  stat: {
    options: "-c= --cached= --dereference -f --file-system --format= --help -L --printf= -t --terse --version",
  },
  du: {
    options:
      "-0 -a --all --apparent-size -B= -b --block-size= --bytes -c --count-links -D -d= --dereference " +
      "--dereference-args --exclude= -H -h --help --human-readable --inodes -k -L -l -m --max-depth= --no-dereference " +
      "--null --one-file-system -P -S -s --separate-dirs --si --summarize -t= --threshold= --time --time-style= " +
      "--total --version -x",
  },
  dust: {
    options:
      "-b -c -d= -D -f -F -H -h -i -I= -n= -o= -p -P -r -s -S= -t -v= -e= -w= -x -X= -z= --depth= --number-of-lines= --reverse " +
      "--apparent-size --full-paths --limit-filesystem --no-percent-bars --no-progress --only-dir --only-file --version --help",
  },
  df: {
    options:
      "-a --all -B= --block-size= --exclude-type= -H -h --help --human-readable -i --inodes -k -l --local --no-sync " +
      "--output -P --portability --print-type --si -T -t= --total --type= -v --version -x=",
  },
  tree: {
    options:
      "-A -a -C -c --charset= -D -d --device --dirsfirst --du -F -f --filelimit= --filesfirst -g --gitignore -h " +
      "--help -I= -i --ignore-case --inodes -J -L= -l --matchdirs --metafirst -N -n --nolinks --noreport -P= -p " +
      "--prune -Q -q -r -S -s --si --sort= -t --timefmt= -U -u -v --version -X -x",
  },
  readlink: {
    options:
      "--canonicalize --canonicalize-existing --canonicalize-missing -e -f --help -m -n --no-newline -q --quiet -s " +
      "--silent -v --verbose --version -z --zero",
  },
  realpath: {
    options:
      "--canonicalize-existing --canonicalize-missing -e --help -L --logical -m --no-symlinks -P --physical -q " +
      "--quiet --relative-base= --relative-to= -s --strip --version -z --zero",
  },
  basename: { options: "-a --help --multiple -s= --suffix= --version -z --zero" },
  dirname: { options: "--help --version -z --zero" },
  pwd: { options: "--help -L --logical -P --physical --version" },
  lsattr: { options: "-a -d -l -p -R -V -v" },
  getfacl: {
    options:
      "-a --absolute-names --access --all-effective -c -d --default -E -e -h --help -L --logical -n --no-effective " +
      "--numeric --omit-header -P -p --physical -R --recursive -s --skip-base -t --tabular -v --version",
  },
  namei: {
    options: "-h --help -l --long -m --modes --mountpoints -n --nosymlinks -o --owners -V -v --version --vertical -x",
  },
  "exa eza": {
    options:
      "-1 -? -@ -a --accessed --across --all -B -b --binary --blocks --bytes --changed --classify --color= " +
      "--color-scale --colour= --colour-scale --created -D -d --extended -F -G -g --git --git-ignore --grid --group " +
      "--group-directories-first -H -h --header --help -I= -i --icons --ignore-glob= --inode -L= -l --level= --links " +
      "--list-dirs --long -m --modified -n --no-filesize --no-icons --no-permissions --no-time --no-user --numeric " +
      "--oneline --only-dirs -R -r --recurse --reverse -S -s= --sort= -T -t= --time= --time-style= --tree -U -u -v " +
      "--version -x",
  },
  lsd: {
    options:
      "-1 -A -a --all --almost-all --blocks= --classic --classify --color= --context -d --date= --depth= " +
      "--dereference --directory-only --extensionsort -F --group-directories-first --group-dirs= -h --help " +
      "--human-readable --hyperlink= -I= -i --icon= --icon-theme= --ignore-config --ignore-glob= --inode -L -l --long " +
      "--no-sort --no-symlink --oneline --permission= -R -r --recursive --reverse -S --size= --sizesort --sort= -t " +
      "--timesort --total-size --tree -U -V -v --version --versionsort -X -Z",
  },
  mount: { options: "-h --help -l --show-labels -t= --types= -V -v --verbose --version" },
  getcap: { options: "-h -n -r -v" },
  ncdu: {
    options:
      "-0 -1 -2 --apparent-size --color= --cross-file-system --disk-usage -e --exclude= --exclude-caches " +
      "--exclude-kernfs --extended --fast-ui-updates -h --help --hide-hidden --ignore-config --include-caches " +
      "--include-kernfs --no-extended --no-si -o=- --one-file-system -q -r --show-hidden --show-itemcount --show-mtime " +
      "--show-percent --si --slow-ui-updates --sort= -V -v --version -x",
  },
  duf: {
    options:
      "-all -avail-threshold= -hide= -hide-fs= -hide-mp= -inodes -json -only= -only-fs= " +
      "-only-mp= -output= -sort= -style= -theme= -usage-threshold= -version -warnings -width= " +
      "--all --avail-threshold= --hide= --hide-fs= --hide-mp= --inodes --json --only= --only-fs= --only-mp= --output= " +
      "--sort= --style= --theme= --usage-threshold= --version --warnings --width=",
  },
  pathchk: { options: "--help -P -p --portability --version" },
  mountpoint: { options: "-d --devno --fs-devno -h --help --nofollow -q --quiet -V --version -x" },
  findmnt: {
    options:
      "-A -a --all --ascii -b --bytes -C -c --canonicalize -D -d= --deleted --df --direction= -e --evaluate -f " +
      "--first-only --fstab -h --help -i --invert -J --json -k --kernel -l --list -M= -m --mountpoint= --mtab -N= --task= -n " +
      "--nocanonicalize --nofsroot --noheadings --notruncate -O= -o= --options= --output= --output-all -P --pairs " +
      "--pseudo -R -r --raw --real -S= -s --shadow --shadowed --shell --source= --submounts -T= -t= --target= --tree " +
      "--types= -U -u --uniq -V -v --verbose --verify --version --vfs-all -x -y",
  },
  lsblk: {
    options:
      "-A -a --all --ascii -b --bytes -D -d --dedup= --discard -E= -e= --exclude= -f --fs -h --help -I= -i --include= " +
      "--inverse -J --json -l --list -M -m --merge -n --nodeps --noempty --noheadings -O -o= --output= --output-all " +
      "-N --nvme -v --virtio -Q= --filter= -H --list-columns -P -p --pairs --paths --perms -r --raw -S -s --scsi --shell --sort= -T -t --topology --tree -V --version -w= " +
      "--width= -x= -y -z --zoned",
  },
  blkid: {
    options:
      "-D -d -h --help -i --info -k -L= -l --label= --list-filesystems --list-one --match-tag= --match-token= " +
      "--match-types= -n= --no-encoding --no-part-details -O= -o= --offset= --output= -p --probe -S= -s= --size= -t= " +
      "-U= -u= --usages= --uuid= -V --version",
  },
  filefrag: { options: "-B -b -E -e -k -P -V -v -X -x" },
  whereis: { options: "-B -b -f -h --help -l -M -m -S -s -u -V --version" },
  which: { options: "-a -s" },
  locate: {
    options:
      "-0 -A --all -b --basename -c --count -E -e --existing --follow -H --help -i --ignore-case -L -l= --limit= -m " +
      "--max-database-age= --mmap --nofollow --non-existing --null -P -p --print -r --regex --regextype= -S -s " +
      "--statistics --stdio --version -w --wholename",
  },
  mlocate: {
    options:
      "-0 -A --all -b --basename -c --count -e --existing --follow -H -h --help -i --ignore-case -L -l= --limit= -m " +
      "--mmap -n= --nofollow --null -P -q --quiet -r= --regex --regexp= -S -s --statistics --stdio -V --version -w " +
      "--wholename",
  },
  plocate: {
    options:
      "-0 -A --all -b --basename -c --count -e --existing --help -i --ignore-case -l= --limit= --literal -N --null " +
      "-r= --regex --regexp= --version -w --wholename",
  },
  find: {
    options:
      "-a -amin= -and -anewer= -atime= -cmin= -cnewer= -context= -ctime= -d -daystart -depth -empty -executable " +
      "-false -follow -fstype= -gid= -group= -H --help -help -ignore_readdir_race -ilname= -iname= -inum= -ipath= " +
      "-iregex= -iwholename= -L -links= -lname= -ls -maxdepth= -mindepth= -mmin= -mount -mtime= -name= -newer= " +
      "-neweraa= -neweraB= -newerac= -neweram= -newerat= -newerBa= -newerBB= -newerBc= -newerBm= -newerBt= -newerca= " +
      "-newercB= -newercc= -newercm= -newerct= -newerma= -newermB= -newermc= -newermm= -newermt= -nogroup " +
      "-noignore_readdir_race -noleaf -not -nouser -nowarn -o -O0 -O1 -O2 -O3 -or -P -path= -perm= -print -print0 " +
      "-printf= -prune -quit -readable -regex= -regextype= -samefile= -size= -true -type= -uid= -used= -user= " +
      "--version -version -warn -wholename= -writable -xdev -xtype= -exec -execdir -ok -okdir",
    runs: "-exec -execdir -ok -okdir",
  },
  "fd fdfind": {
    options:
      "-0 -1 -a --absolute-path --and= --batch-size= --format= --no-require-git --base-directory= -c= --case-sensitive --change-newer-than= --change-older-than= " +
      "--changed-after= --changed-before= --changed-within= --color= -d= -E= -e= --exact-depth= --exclude= " +
      "--extension= -F --fixed-strings --follow --full-path -g --glob -H -h --help --hidden -I -i --ignore-case -j= " +
      "-L -l --list-details --max-depth= --max-results= --min-depth= --mount --newer= --no-ignore --no-ignore-parent " +
      "--no-ignore-vcs -o= --older= --one-file-system --owner= -p --path-separator= --print0 --prune -q --quiet " +
      "--regex -S= -s --search-path= --show-errors --size= --strip-cwd-prefix -t= --threads= --type= -u " +
      "--unrestricted -V --version --xdev",
    names: true,
    runs: "-x --exec -X --exec-batch",
  },
  getent: {
    options: "-? -A --help -i --no-addrconfig --no-idn --usage -V --version",
    names: true,
  },
  file: {
    options:
      "-0 --apple -b --brief -c --checking-printout -d --dereference -E -e= --exclude= --exclude-quiet --extension " +
      "-F= -h --help -i -k --keep-going -L -l --list --mime --mime-encoding --mime-type -N -n --no-buffer " +
      "--no-dereference --no-pad -P= --parameter= --print0 -r --raw -s --separator= " +
      "--special-files --uncompress --uncompress-noreport -v --version -Z -z",
    names: true,
  },
  "tar gtar": {
    options:
      "-f= --file= -? -a --absolute-names --acls --anchored --auto-compress --block-number --bzip2 --compare --compress -d --diff " +
      "--exclude= --full-time --gunzip --gzip --help -i --ignore-case --ignore-failed-read --ignore-zeros " +
      "--interactive -J -j --list --lzip --lzma --lzop -n --no-anchored --no-ignore-case --no-wildcards " +
      "--no-wildcards-match-slash --numeric-owner -O --occurrence -P -p --preserve-permissions --quoting-style= -R -S " +
      "--seek --selinux --show-defaults --show-stored-names --show-transformed-names --sparse --strip-components= -t " +
      "-x --extract --get -C= --directory= --to-stdout --totals --uncompress --ungzip --usage --utc -v --verbose --version -w --warning= --wildcards " +
      "--wildcards-match-slash --xattrs --xz -Z -z --zstd",
  },
  unzip: { options: "-1 -2 -C -h -j -L -l -M -p -q -s -T -t -v -x= -Z -z", names: true },
  zipinfo: { options: "-1 -2 -C -h -l -M -m -s -T -t -U -v -x= -z", names: true },
  zipgrep: { options: "-c -E -F -h -i -l -n -o -v -w -x=", names: true },
  "7z 7za 7zr": { options: "-ba -bd -r -slt -y" },
  "unrar ar": { options: "--help --version" },
  "gzip gunzip": {
    options:
      "--best -c -d --decompress -f --fast --force -h --help -k --keep -l --list -N -n --name --no-name -q --quiet " +
      "--stdout -t --test --to-stdout --uncompress -V -v --verbose --version",
  },
  "pigz unpigz": {
    options:
      "--best -c -d --decompress -f --fast --force -h --help -k --keep -l --list -N -n --name --no-name -p= " +
      "--processes= -q --quiet --stdout -t --test --to-stdout --uncompress -V -v --verbose --version",
  },
  "bzip2 bunzip2": {
    options:
      "--best -c -d --decompress -f --fast --force -h --help -k --keep -L --license -q --quiet -s --small --stdout -t " +
      "--test -V -v --verbose --version",
  },
  "xz unxz lzma unlzma": {
    options:
      "--best -c -d --decompress -e --extreme -f --fast --force -H -h --help --ignore-check --info-memory -k --keep " +
      "-l --list --long-help -M= --memlimit= --memory= --no-warn -Q -q --quiet --robot --single-stream --stdout -T= " +
      "-t --test --threads= --to-stdout --uncompress -V -v --verbose --version",
  },
  "zstd unzstd": {
    options:
      "-c -d --decompress -f --fast --force -H -h --help -k --keep -l --list --long --no-progress -q --quiet --stdout " +
      "-T= -t --test --threads= --ultra --uncompress -V -v --verbose --version",
  },
  lz4: {
    options:
      "--best -c -d --decompress --fast -H -h --help -k --keep -l --list -q --quiet --stdout -t --test --to-stdout " +
      "--uncompress -V -v --verbose --version",
  },
  "compress uncompress brotli": {
    options: "-c -d --decompress -f --force -h --help -k --keep --stdout -t --test -V -v --verbose --version",
  },
  rsync: {
    options:
      "-e= --rsh= --rsync-path= -0 -4 -6 -8 --8-bit-output -A -a --acls --append --append-verify --archive --atimes -b --backup --block-size= " +
      "--blocking-io --bwlimit= -C -c --cc= --checksum --checksum-choice= --checksum-seed= --chmod= --chown= " +
      "--compress --compress-choice= --compress-level= --contimeout= --copy-dirlinks --copy-links --copy-unsafe-links " +
      "--crtimes --cvs-exclude --exclude-from= --include-from= -f= --filter= --files-from= --compare-dest= --link-dest= -D -d --debug= --del --delay-updates --devices --dirs --dry-run -E --exclude= " +
      "--executability --existing --force --from0 --fsync --fuzzy -g --group --groupmap= -H -h --hard-links --help " +
      "--human-readable -I -i --iconv= --ignore-errors --ignore-existing --ignore-missing-args --ignore-non-existing " +
      "--ignore-times --inc-recursive --include= --info= --inplace --ipv4 --ipv6 --itemize-changes -J -K -k " +
      "--keep-dirlinks -L -l --links --list-only -m --max-alloc= --max-delete= --max-size= --min-size= --mkpath " +
      "--modify-window= --munge-links -N -n --no-implied-dirs --no-inc-recursive --no-motd --no-whole-file " +
      "--numeric-ids -O -o --old-args --omit-dir-times --omit-link-times --one-file-system --open-noatime " +
      "--out-format= --outbuf= --owner -P -p --partial --perms --port= --preallocate --progress --protocol= " +
      "--prune-empty-dirs -q --quiet -R -r --recursive --relative -S -s --safe-links --secluded-args --size-only " +
      "--skip-compress= --sparse --specials --stats --stderr= --stop-after= --stop-at= --suffix= -t --timeout= " +
      "--times --trust-sender -U -u --update --usermap= -V -v --verbose --version -W --whole-file -X -x --xattrs -y " +
      "-z",
  },
  logrotate: { names: true, options: "-? -d --debug -f --force --help --usage -v --verbose --version" },
  inotifywait: {
    options:
      "-I --inotify -F --fanotify -S --filesystem " +
      "-c --csv -e= --event= --exclude= --excludei= --format= -h --help --include= --includei= -m --monitor " +
      "--no-dereference --no-newline -P -q --quiet -r --recursive -t= --timefmt= --timeout=",
    names: true,
  },
  inotifywatch: {
    options:
      "-I --inotify -F --fanotify -S --filesystem " +
      "-a= --ascending= -d= --descending= -e= --event= --exclude= --excludei= -h --help --include= --includei= " +
      "--no-dereference -P -r --recursive -t= --timeout= -v --verbose -z --zero",
    names: true,
  },
  fatrace: {
    options:
      "-C= -c --command= --current-mount -f= --filter= -h --help --ignore-pid= -p= -s= --seconds= -t --timestamp",
  },
  getfattr: {
    options:
      "--absolute-names -d --dump -e= --encoding= -h --help -L --logical -m= --match= -n= --name= --no-dereference " +
      "--only-values -P --physical -R --recursive --version",
  },
  patch: {
    options:
      "-c --context --dry-run -E --remove-empty-files -F= --fuzz= -f --force -l --ignore-whitespace -N --forward " +
      "-d= --directory= -i= --input= -n --normal -p= --strip= -R --reverse --reject-format= -s --quiet --silent -t --batch -u --unified --verbose",
  },
};
