/** What only reads of the managers of packages, from their man pages (apt 2.6, dpkg 1.21, rpm 4.18, dnf 4.14, apk 2.14, pacman 6, zypper 1.14, snap). */
import type { ReadTable } from "../../reads.ts";

const dnfReads =
  "-q --quiet -v --verbose -C --cacheonly --refresh --installed --available --extras --updates --upgrades --recent --all --showduplicates --security --bugfix " +
  "--newpackage --enhancement --cve= --cves= --advisory= --advisories= --bz= --sec-severity= --secseverity= --reverse --last --requires --provides --whatrequires= --whatprovides= " +
  "--resolve --recursive --tree --deplist -l --list -i --info --nvr --nevra --envra --qf= --queryformat= --latest-limit= --location --repo= --repoid= --enablerepo= --disablerepo= " +
  "--releasever= --exclude= -x= --color= --userinstalled --unneeded --duplicates --depends --file= -f= --arch= --archlist= --changelogs --with-cve --summary " +
  "--enabled --disabled --notify-only --nocrypto";

// biome-ignore format: filled to the width
export const packageReads: ReadTable = {
  "apt apt-get": { help: "--help", options: "-q --quiet -s --simulate --just-print --dry-run --no-act --recon -qq -V --verbose-versions -u --show-upgraded",
    sub: {
      "list show search policy depends rdepends madison showsrc changelog check": { names: true,
        options: "--installed --upgradable --upgradeable --manual-installed -a --all-versions --names-only -n -f --full --no-all-versions --recurse --important " +
          "-i --no-pre-depends --no-depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances" },
      "upgrade dist-upgrade full-upgrade install remove purge autoremove": { names: true, options: "-y --yes --assume-yes --with-new-pkgs --no-install-recommends -f" } } },
  "apt-file": { names: /^(?!(update|purge|cache)$)/, options: "-a= --architecture= -F --fixed-string -i --ignore-case -l --package-only -v" },
  "apt-show-versions": { names: /^[\w.+:-]+$/, options: "-a --allversions -b --brief -n --nohold -p= --package= -r --regex -u --upgradeable -v --verbose" },
  "dpkg-deb": { names: true, options: "-c --contents -f --field -I --info -W --show --showformat= --version" },
  "apt-cache apt-mark apt-config": { names: true,
    options: "-a --all-versions -f --full -n --names-only -q --quiet -i --important --installed --recurse --no-all-versions --generate -g --no-pre-depends --no-recommends " +
      "--no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances --all-names" },
  dpkg: { names: true,
    options: "--force-not-root --log=/dev/null --root= -i --install -l --list -s --status -L --listfiles -S --search -p --print-avail -C --audit -V --verify --verify-format= --get-selections --print-architecture " +
      "--print-foreign-architectures --compare-versions -I --info -c --contents --no-pager --validate-pkgname= --validate-version= --version --simulate --dry-run --no-act" },
  "dpkg-query": { names: true, options: "-l --list -W --show -s --status -L --listfiles -S --search -f= --showformat= -p --print-avail --no-pager -c --control-list --load-avail" },
  debsums: { names: true, options: "-a --all -e --config -c --changed -l --list-missing -s --silent --no-locale-purge --no-prelink -m " },
  "rpm": { names: true,
    options: "-q --query -V --verify -a --all -f --file -i --info -l --list -c --configfiles -d --docfiles -g= --group= -p --package -R --requires --provides --whatprovides --whatrequires " +
      "--changelog --changes --scripts -s --state --triggers --last --dump --filesbypkg --conflicts --obsoletes --recommends --suggests --supplements --qf= --queryformat= " +
      "--nofiles --nodigest --nosignature --nomtime --nosize --nomode --nouser --nogroup --nordev --nolinkto --nofiledigest --nomd5 --nodeps --noscripts -K --checksig " +
      "--querytags --showrc -v --version --licensefiles --test" },
  "dnf yum microdnf tdnf": { help: "--help", options: dnfReads,
    sub: { ["list info search provides whatprovides repolist check-update deplist check repoquery updateinfo repoinfo needs-restarting grouplist " +
      "group_list group_info groups_list groups_info module_list module_info changelog versionlock_list version help"]: { names: true },
      "needs-restarting": { options: "-r --reboothint -s --services -u --useronly" },
      "history": { names: /^(list|info|userinstalled|\d+|last|all)$/ },
      // With `--assumeno`, which makes them low.
      "install update upgrade reinstall remove erase autoremove downgrade distro-sync groupinstall": { names: true, options: "--assumeno -y --best --nobest" } } },
  repoquery: { names: true, options: dnfReads },
  "needs-restarting": { options: "-r --reboothint -s --services -u --useronly" },
  apk: { options: "-q --quiet -v --verbose --no-network --simulate", sub: { "*": { names: true,
    options: "-a --all -d --description -e --installed -I --orphaned -L --contents -P --provides -R --depends -r --rdepends -s --size -t --triggers -w --webpage -W --who-owns " +
      "--who-owns -u --upgradable --available --upgradeable -l -i --install-if --rinstall-if -x --exact -o --origin --license --replaces --manifest" } } },
  pacman: { names: true,
    options: "-Q --query -i --info -l --list -o --owns -u --upgrades -e --explicit -d --deps -t --unrequired -m --foreign -n --native -k --check -q --quiet " +
      "-s --search -g --groups -c --changelog -S -F -x -v --verbose --color= -p --print" },
  zypper: { options: "-q --quiet -v --verbose -n --non-interactive --no-refresh -x --xmlout --no-color -t= --terse", sub: { ["search se info if list-updates lu list-patches lp patches packages pa patch-info pch patterns pt products pd repos lr services ls locks ll ps what-provides wp " +
    "patch-check pchk needs-rebooting"]: { names: true,
    options: "-s --details -d --search-descriptions -i --installed-only -u --not-installed-only -t= --type= -r= --repo= --match-exact --match-substrings --match-words -C --case-sensitive --provides " +
      "--requires --recommends -a --all --cve= --bugzilla= --issues= -P --priority -E --show-enabled-only -U --uri -D --dry-run --orphaned --suggested --unneeded" },
    // With `--dry-run`, which makes them low.
    "install in update up dist-upgrade dup patch remove rm": { names: true, options: "-y --no-confirm -l --auto-agree-with-licenses --no-recommends -t= --type=" } } },
  snap: { sub: { "list info find changes version connections interfaces services logs warnings model tasks": { names: true,
    options: "--all --verbose --color= --unicode= --abs-time --last= --narrow -n= --no-wait --global -g" } } },
  flatpak: { sub: { enter: { names: true }, "list info search remotes history remote-ls": { names: true, options: "-a --all -d --show-details --columns= --app --runtime --user --system --updates -u -m" } } },
  brew: { sub: { "services_list services_info": { names: /^[\w@.-]+$/ }, "list info search deps uses leaves config doctor": { names: /^(?!\.{0,2}\/|.*(\.rb$|:))/, options: "--versions --cask --formula --json --tree --installed --greedy -v --verbose -q --quiet" } } },
  "pip pip3": { help: "--help", options: "-q --quiet -v --verbose --disable-pip-version-check --no-color --isolated --no-input", sub: {
    "install download": { names: /^[A-Za-z0-9][\w.,[\]<>=!~-]*$/, options: "--dry-run --only-binary=:all: -r= --requirement= -U --upgrade --no-deps -c= --constraint=" },
    "list show freeze check cache_list cache_info cache_dir config_list config_get debug inspect index index_versions": { names: true,
      options: "-o --outdated -u --uptodate -e --editable -l --local --user --format= --not-required --pre --include-editable --exclude-editable --exclude= -f --files --all" } } },
  nala: { sub: { history: { names: /^(list|info|\d+)$/ }, "list show search policy": { names: true, options: "-i --installed -u --upgradable -N --nala-installed -a --all-versions -n --names -f --full" } } },
  "pkg-config pkgconf": { names: true, options: "--modversion --version --cflags --libs --exists --list-all --print-requires --print-errors --variable= --print-variables --static --atleast-version= --silence-errors --short-errors" },
  pipenv: { options: "--version --where --venv --py", sub: { "graph": { names: true, options: "--bare --json --json-tree --reverse" } } },
  pipx: { options: "--version", sub: { "list": { names: true, options: "--short --json --include-injected --value= -V= --skip-maintenance" } } },
  uv: { options: "--version -V -q --quiet -v --verbose --no-cache -n --offline --color=", sub: {
    "pip_list pip_show pip_freeze pip_check pip_tree": { names: true, options: "--outdated --editable -e --format= --strict --exclude= --exclude-editable -f --files -d= --depth= --invert --show-version-specifiers" },
    "python_list python_dir tool_list tool_dir cache_dir help": { names: true, options: "--only-installed --all-versions --show-paths --show-version-specifiers --output-format=" }, version: { options: "--short --output-format=" } } },
  poetry: { options: "--version -V -q --quiet -v -vv -vvv --no-ansi -n --no-interaction --no-plugins --no-cache", sub: {
    "show check env_list env_info search": { options: "-t --tree -l --latest -o --outdated -a --all -T --top-level --only= --with= --without= --no-dev --why --full-path -p --path -e --executable -s --short --lock --strict" },
    "show search": { names: true } } },
  pkg: { sub: { audit: { names: true, options: "-r -q" }, "info query search which version stats": { names: true, options: "-a -f -l -x -g -i -e -D -A -d -b -B -k -q -s -v -o -p -r -O -R -S= -Q= -c -I -P -t -l= -L= -u" } } },
  port: { options: "-q -v", sub: { "info search version installed list outdated deps contents": { names: true, options: "--name --glob --regex --line" } } },
  opkg: { sub: { "info search list list-installed list-upgradable list-changed-conffiles status files find compare-versions print-architecture depends whatdepends whatrequires whatprovides": { names: true, options: "-A" } } },
  swupd: { sub: { "info search search-file check-update bundle-list bundle-info": { names: true, options: "--all -a --deps= -q --quiet -v --verbose" } } },
  tlmgr: { sub: { "info show list search version": { names: true, options: "--only-installed --all --file --json --data= --list" } } },
  "xbps-install": { options: "-V --version -h --help", sub: {} },
  "conda mamba micromamba": { options: "-n= --name= -p= --prefix= --json -q --quiet", sub: { "list info search env_list env_info config_list help": {
    names: true, options: "-a --all -e --explicit -f --full-name -r --revisions --envs -s --system --offline" } } },
  npm: { help: "--help", sub: { "config c": { names: true, options: "-g --global -l --long --json" }, "install i uninstall update": { names: true, options: "--no-audit --no-fund --offline --prefer-offline --ignore-scripts --dry-run -g --global --omit= --production -D -S --save --save-dev" },
     "query pkg_get": { names: true, options: "-g --global --json" }, "ls list outdated view info explain why prefix root version ping audit fund search": { names: true,
    options: "-g --global --depth= --json -a --all -l --long -p --parseable --prod --production --omit= --include= --dev --only= --audit-level= --unicode" } } },
  yarn: { sub: { "application app applicationattempt container node queue logs": { names: true, options: "-list -status= -appStates= -appTypes= -appTags= -all -states= -showDetails -applicationId= -containerId= -nodeAddress= -appOwner= -log_files= -size= -am= -show_application_log_info -show_container_log_info -lnl -dnl -list-node-labels -directlyAccessNodeLabelStore" } } },
  pnpm: { sub: { "list why info outdated audit ls view": { names: true, options: "--depth= --json -g --global --recursive -r --prod --dev --long --pattern=" } } },
  gem: { sub: { "list info search outdated environment env which contents specification dependency": { names: true,
    options: "-l --local -r --remote -b --both -a --all -d --details -q --quiet -e --exact -i --installed --versions --no-versions --pre" } } },
  bundle: { options: "--version", sub: {} },
  composer: { sub: { "show outdated licenses diagnose validate why audit check-platform-reqs": { names: true,
    options: "-i --installed -D --direct -l --latest -o --outdated -t --tree --no-dev --format= -f= -n --no-interaction --no-ansi --locked --strict --no-plugins --no-scripts" } } },
  "go": { sub: { "version env list": { names: true, options: "-m -json -u -f= -versions -v -deps" } } },
  cargo: { help: "--help", options: "--version -V -v --verbose --list", sub: { "search version info help": { names: true,
    options: "-q --quiet --offline --limit=" } } },
  rustc: { options: "-v -V --version --verbose" },
  "javac kotlinc": { options: "-version --version -help --help" },
  dart: { names: /^(pub|deps|outdated)$/, options: "--version" },
  flutter: { names: /^(doctor|pub|deps|outdated)$/, options: "--version -v --verbose" },
  emerge: { names: true, options: "--info --version -s --search -S --searchdesc -p --pretend -v --verbose" },
  "mvn": { names: /^(dependency:(tree|list|display-\S+)|versions:display-\S+|help:(effective-pom|describe|active-profiles))$/,
    options: "-v -version --version -o --offline -q --quiet" },
  gradle: { options: "-v --version -o --offline -q --quiet" },
};
