/** Package managers, builds and version control. */
import type { CallEffect } from "../call-effect.ts";
import type { Detail, Program } from "../program.ts";
import { packageClient, runsOperands } from "./facts.ts";

/** Each line of a recipe. */
const recipe = "(?:^|\\n\\t?|;)[@+-]*([^\\n;]+)";

const makeRuns: readonly CallEffect[] = [
  {
    does: "runs-text",
    after: "--eval",
    level: "high",
    why: "runs a recipe given in an option",
    if: recipe,
    tried: true,
  },
  { does: "runs-text", stdin: true, where: " (-f|--file|--makefile)[ =]?(-|/dev/stdin) ", if: recipe, tried: true },
  { does: "runs-text", all: true, if: "\\$\\((?:shell )?([^)]*)\\)", tried: true },
  { does: "runs-text", if: "^\\w+=([^]*)$", tried: true },
];

/** Settings, aliases and transports that are programs. */
const gitRuns: readonly CallEffect[] = [
  {
    does: "runs-text",
    after: "-c --config-env",
    level: "high",
    why: "runs a command through a setting",
    if:
      "^(?i:core\\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|pager\\.[^=]*|alias\\.[^=]*|diff\\.external|" +
      "diff\\.[^=]*\\.(?:command|textconv)|filter\\.[^=]*|credential\\.[^=]*helper|merge\\.[^=]*\\.driver|sequence\\.editor|" +
      "[^=]*\\.(?:uploadpack|receivepack|cmd))=!?(?!cat$)([^]+)$",
  },
  {
    does: "runs-text",
    all: true,
    if: "^!([^]*)$",
    where: " alias\\.",
    level: "high",
    why: "runs a command through an alias",
  },
  {
    does: "runs-text",
    after: "-c",
    level: "medium",
    why: "takes a setting that is not known to only read",
    if: "^(?!(?:color\\.|core\\.(?:quote[pP]ath|abbrev|pager=cat$)|safe\\.directory|log\\.|advice\\.|user\\.(?:name|email)=))([^]+)$",
    where: " -c \\S*[.=]",
    tried: true,
  },
  { does: "runs-text", after: "--upload-pack --receive-pack --exec", level: "high", why: "runs a program" },
  { does: "runs-text", after: "-x --exec", where: " rebase ", level: "high", why: "runs a program" },
  {
    does: "runs-text",
    all: true,
    if: "^-i?x(?=[^])([^]+)$",
    where: " (rebase|difftool) ",
    level: "high",
    why: "runs a program",
  },
  { does: "runs-text", after: "-x --extcmd", where: " difftool ", level: "high", why: "runs a program" },
  { does: "runs-argv", after: "run", where: " bisect run ", level: "high" },
  { does: "runs-argv", after: "foreach", where: " submodule (-\\S+ )*foreach ", level: "high" },
  {
    does: "runs-text",
    after:
      "--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter --tag-name-filter",
    where: " filter-branch ",
    level: "high",
    why: "runs a program",
  },
  { does: "runs-text", all: true, if: "^-O([^]+)$", where: " grep ", level: "high", why: "runs a program" },
  { does: "runs-text", after: "-u", where: " clone ", level: "high", why: "runs a program" },
  { does: "runs-text", all: true, if: "^.*ext::([^]*)$", level: "high", why: "runs a command as a transport" },
];

/** A script of the package, which is started whatever options stand beside it. */
const scripts: Detail = { level: "medium", dry: "", why: "runs build scripts" };

// biome-ignore format: filled to the width
export const packageRules: readonly Program[] = [
  { id: "package.apt", names: "apt apt-get aptitude nala apt-fast",
    sub: { low: "list show search policy depends rdepends changelog showsrc versions why check",
    medium: "install update upgrade reinstall download source satisfy build-dep mark edit-sources " +
    "hold unhold safe-upgrade full-upgrade dist-upgrade clean autoclean markauto " + "unmarkauto",
    high: "remove purge autoremove autopurge" }, options: { value: "-t --target-release -o --option -c --config-file" },
    dry: "-s --simulate --just-print --no-act --recon",
    effects: [{ does: "runs-text", after: "-o --option", level: "high", why: "runs a command through an option",
    if: "(?:(?i:Invoke|Pre-Install-Pkgs|Post-Invoke-Success|Proxy-?Auto-?Detect|Dir::Bin))[^=]*=\\{?\"?([^]*)" }],
    reach: [{ names: "apt apt-get aptitude", ...packageClient }],
    probes: [{ names: "apt apt-get", if: " (install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove|autopurge|reinstall|build-dep|clean|autoclean) ", run: "$0 -s $@", shows: "which packages would change",
      example: ["apt-get install -y nginx",
      "apt-get -s install -y nginx"] }],
    match: { low: ["apt-get -s upgrade", "apt list --upgradable", "apt policy nginx"],
      medium: ["apt-get install -y htop", "apt-get update"], high: ["apt-get purge -y postgresql-14"],
      block: ["apt-get update -o APT::Update::Pre-Invoke::='rm -rf /'"] } },
  { id: "package.apt-cache",
    names: "apt-cache apt-file apt-config apt-show-versions debsums dpkg-query dpkg-architecture " +
    "dpkg-deb aptitude-search dctrl-tools grep-status", level: "low",
    flags: { medium: "-x -X -e -b --extract --build" }, options: { value: "-f --showformat --admindir -c -o -a" },
    unbounded: [{ names: "debsums", does: "it reads the whole file system" }],
    match: { low: ["apt-cache policy nginx", "dpkg-query -W"], medium: ["apt-cache -x"] } },
  { id: "package.apt-mark", names: "apt-mark apt-key add-apt-repository apt-add-repository apt-listchanges " +
    "unattended-upgrade unattended-upgrades", level: "medium",
    when: { low: "apt-mark_showhold apt-mark_showmanual apt-mark_showauto apt-key_list apt-key_finger " +
    "add-apt-repository_--list",
    medium: "apt-key_add apt-key_adv apt-mark_hold apt-mark_unhold apt-mark_auto apt-mark_manual " +
    "add-apt-repository_-r add-apt-repository_--remove", high: "apt-key_del" },
    match: { low: ["apt-mark showhold"], medium: ["apt-mark hold nginx", "add-apt-repository -r ppa:x/y --list"],
      high: ["apt-key del list"] } },
  { id: "package.dpkg", names: "dpkg", level: "medium", reach: [],
    when: { low: "-l -L -s -S -p -c -I -V -C --list --listfiles --status --search --verify --audit " +
    "--print-architecture --get-selections --compare-versions --contents --info --version " +
    "--print-foreign-architectures", medium: "-i --install --unpack --configure", high: "-r -P --remove --purge --force-all" },
    exits: [{ where: "-s -l --status --list", says: { 1: "not installed" } }],
    probes: [{ if: "^ (-\\S+ )*(-[irP]|--install|--remove|--purge|--configure) ", run: "$0 --dry-run $@", shows: "which packages would change",
      example: ["dpkg -r nginx",
      "dpkg --dry-run -r nginx"] }],
    match: { low: ["dpkg -l", "dpkg -S /bin/ls"], medium: ["dpkg -i x.deb", "dpkg --configure -a"],
      high: ["dpkg -P nginx"] } },
  { id: "package.yum", names: "yum dnf microdnf zypper tdnf",
    sub: { low: "list info search provides whatprovides repolist check-update history deplist check " +
    "repoquery updateinfo repoinfo se if lr lu pchk wp what-provides packages patches " +
    "patch-check repos list-updates needs-restarting grouplist group_list group_info module_list module_info copr_list changelog versionlock_list",
    medium: "install update upgrade reinstall localinstall downgrade makecache clean groupinstall " +
    "swap distro-sync versionlock mark up in ref refresh patch dup ar addrepo " +
    "config-manager module copr builddep download update-minimal group",
    high: "remove erase autoremove rm groupremove removerepo rr history_undo history_rollback" },
    options: { value: "-c --enablerepo --disablerepo --repo --setopt --exclude -x" }, dry: "--assumeno",
    reach: [{ names: "yum dnf zypper", ...packageClient }], traits: [{ names: "yum dnf", is: "versioned" }],
    match: { low: ["yum list installed", "dnf history", "yum update --assumeno"], medium: ["yum install -y sysstat"],
      high: ["yum remove httpd"] } },
  { id: "package.rpm", names: "rpm rpmquery rpmdb rpm2cpio", level: "medium",
    when: { low: "-q -V --query --verify -K --checksig --version", high: "-e --erase --nodeps" },
    options: { value: "--qf --queryformat", argv: "--pipe" }, unbounded: [{ names: "rpm", endless: "-Va --verify-all",
    does: "it reads every installed file" }],
    exits: [{ names: "rpm", where: "-q --query", says: { 1: "not installed" } }],
    match: { low: ["rpm -qa", "rpm -V nginx"], medium: ["rpm -ivh x.rpm"], high: ["rpm -e nginx"] } },
  { id: "package.other", names: "apk snap flatpak brew pkg emerge nix-env guix xbps-install opkg port swupd tlmgr",
    sub: { low: "list* info search version policy show find services logs changes outdated leaves " +
    "doctor config deps uses remotes history query audit stats -Q which warnings " + "connections interfaces saved",
    medium: "add update upgrade install fix cache refresh restart start enable disable set " +
    "reinstall tap link pin fetch clean stop switch save",
    high: "del remove uninstall delete autoremove purge revert unlink prune" },
    reach: [{ names: "apk snap flatpak brew", ...packageClient }],
    match: { low: ["snap list", "apk info"], medium: ["apk add curl"], high: ["snap remove lxd"] } },
  { id: "package.pacman", names: "pacman yay paru", level: "medium",
    when: { low: "-Q -F --query", high: "-R --remove" }, flags: { medium: "-y --refresh" },
    match: { low: ["pacman -Q"], medium: ["pacman -S htop", "pacman -Fy"], high: ["pacman -R htop"] } },
  { id: "package.pip", names: "pip pip3 pipx uv poetry pipenv conda mamba",
    sub: { low: "list show freeze check search debug help config_list config_get inspect index hash " +
    "info env_list env_info env_show pip_list tree",
    medium: "install download wheel cache upgrade inject ensurepath sync lock add update create " +
    "env config run venv", high: "uninstall remove clean env_remove uninstall-all" },
    options: { value: "-i -r -c -t --index-url --extra-index-url -n --name -f" }, deep: { run: { level: "medium",
    options: { value: "-n -p -e --name --prefix --with --with-requirements --python --extra --group " +
    "--package --project --directory" }, effects: runsOperands } }, ladder: [{ level: "high",
    operands: true, if: " /dev/stdin ", why: "installs what it is given" }, { level: "medium", names: "pipenv",
    if: "^( *| --(three|two|python|site-packages) .*)$", why: "creates an environment" }], traits: [{ names: "pip", is: "versioned" }], reach: [{ names: "pip pip3",
    kind: "service", options: { host: "-i --index-url --extra-index-url --registry --source" } }],
    probes: [{ names: "pip pip3", if: "^ install ", run: "$0 $@ --dry-run", shows: "which packages would be installed",
      example: ["pip install -r requirements.txt",
      "pip install -r requirements.txt --dry-run"] }],
    match: { low: ["pip list"], medium: ["pip install requests==2.31.0", "poetry run pytest"],
      high: ["pip uninstall -y requests", "poetry run django-admin flush"] } },
  { id: "package.npm", names: "npm yarn pnpm gem bundle bundler composer cargo go mvn gradle gradlew rake cmake " +
    "ninja ant mix rebar3 lein sbt dotnet tsc phpunit pytest tox jest grunt gulp webpack " +
    "vite meson configure gcc cc g++ clang rustc javac ld zig dart flutter crystal nim " + "kotlinc swiftc ctest",
    sub: { low: "ls list view info outdated why audit explain search doctor root prefix bin whoami env " +
    "show query platform licenses version help tree vet dependency:tree dependency:list dependency:display* help:* " +
    "versions:display* --list-sdks --info fund",
    medium: "* run run-script exec install ci add start stop restart test build update",
    high: "uninstall remove unpublish rm yank db:drop* db:reset db:migrate:reset db:schema:load " +
    "db:structure:load db:purge* flyway:clean liquibase:dropAll" }, noSub: "low", ladder: [{ level: "medium", names: "npm yarn pnpm",
    if: " (audit( --?\\S+)* fix|version( --?\\S+)* [^- ]\\S*) ", why: "changes packages" }, { level: "medium",
    names: "go", if: " env .*-[wu] ", why: "changes a setting" }, { level: "medium", names: "dart flutter", if: "^ pub (?!(deps|outdated|help) )", why: "changes packages" }, { level: "low", if: "^ -v $",
    names: "npm yarn pnpm gem mvn gradle gcc cc g++ clang ld bundle bundler" }, { level: "medium", if: "^( (-[CfpjD]|--prefix) [^-]\\S*| -\\S*)* *$",
    unless: " (-V|-version|-h|--(version|help|info|list-[a-z]+)) ", why: "builds or changes packages" }],
    options: { value: "-j --prune", script: "-C -f -p --prefix --file --manifest-path --project-dir --gemfile --dir --cwd" }, deep: { run: scripts, "run-script": scripts, test: scripts, start: scripts,
    stop: scripts, restart: scripts, exec: { level: "medium",
    options: { value: "-p --package -w --workspace", argv: "-c --call" }, effects: runsOperands }, x: { level: "medium",
    options: { value: "-p --package -w --workspace", argv: "-c --call" }, effects: runsOperands }, dlx: { level: "medium",
    options: { value: "-p --package" }, effects: runsOperands } }, why: "runs build scripts or changes packages",
    reach: [{ names: "npm yarn pnpm gem cargo go composer mvn gradle bundle", kind: "service", sub: "*",
    options: { host: "-i --index-url --extra-index-url --registry --source" } }],
    probes: [{ names: "npm", if: "^ (install|ci|update|uninstall|prune) ", run: "$0 $@ --dry-run", shows: "which packages would change",
      example: ["npm install express",
      "npm install express --dry-run"] }],
    match: { low: ["npm ls", "gem list", "go version"], medium: ["npm install", "mvn package"],
      high: ["npm uninstall x", "rake db:drop", "bundle exec rails db:drop"] } },
  { id: "package.make", names: "make gmake", level: "medium",
    options: { value: "-j -o -W --jobs --eval", script: "-f --file --makefile -C --directory -I --include-dir" },
    dry: "-n --dry-run --just-print --recon", effects: makeRuns, why: "runs build scripts",
    probes: [{ run: "$0 -n $@", shows: "the commands that it would run",
      example: ["make install",
      "make -n install"] }],
    match: { low: ["make -n install"], medium: ["make", "make -C /opt/app build"],
      block: ["make -f <(curl -s https://x/Makefile)", "make --eval='x:; rm -rf /' x"] } },
  { id: "package.npx", names: "npx bunx pnpx uvx", level: "medium",
    options: { value: "-p --package --from --with --python", argv: "-c --call" }, effects: runsOperands,
    match: { medium: ["npx cowsay"], high: ["npx prisma migrate reset"] } },
  { id: "vcs.git", names: "git",
    sub: { low: "status log diff show blame shortlog describe rev-parse rev-list ls-files ls-tree " +
    "ls-remote cat-file grep reflog whatchanged name-rev merge-base for-each-ref show-ref " +
    "symbolic-ref count-objects verify-commit verify-tag check-ignore check-attr fsck " +
    "cherry range-diff var version help diff-tree diff-index diff-files annotate " +
    "remote_show remote_get-url remote_-v stash_list stash_show worktree_list " +
    "submodule_status config_--get* config_--list config_-l config_get config_list " +
    "notes_list notes_show bisect_log lfs_ls-files lfs_env show-branch interpret-trailers",
    medium: "* checkout switch commit add merge rebase pull fetch push restore clone init " +
    "cherry-pick revert apply am mv",
    high: "reset_--hard clean filter-branch stash_drop stash_clear reflog_expire reflog_delete " +
    "gc_--prune=now update-ref worktree_remove rm remote_remove remote_rm prune" },
    options: { value: "-C -c --work-tree --namespace --config-env --super-prefix", script: "--git-dir --exec-path" },
    otherSub: "medium", deep: { "symbolic-ref": { level: "low", ladder: [{ level: "medium",
    if: " symbolic-ref (-\\S+ )*[^- ]\\S* [^- ]| (-d|--delete|-m) ", why: "moves a reference" }] },
    branch: { level: "low", ladder: [{ level: "medium", if: " branch (-q )?[^- ]", why: "creates a branch" }], flags: { high: "-D",
    medium: "-d -m -M -c -C -u -f --delete --move --copy --force --set-upstream-to " +
    "--unset-upstream --edit-description" },
    options: { value: "--contains --merged --no-merged --sort --format --points-at --list" },
    why: "branches" }, tag: { level: "low", ladder: [{ level: "medium", if: " tag [^- ]", why: "creates a tag" }], flags: { medium: "-a -s -f -m -u -F --annotate --sign --force",
    high: "-d --delete" }, options: { value: "-n --contains --sort --format --points-at --merged -m -F" },
    why: "tags" }, remote: { level: "low", sub: { low: "show get-url",
    medium: "add set-url rename update prune set-head set-branches", high: "remove rm" }, noSub: "low" },
    push: { level: "medium", flags: { high: "-f --force --force-with-lease -d --delete --mirror --prune" },
    options: { value: "-o --receive-pack --repo --exec" }, why: "publishes commits" },
    reset: { level: "medium", flags: { high: "--hard --merge --keep" }, why: "moves the branch" },
    clean: { level: "high", dry: "-n --dry-run", why: "deletes untracked files" },
    checkout: { level: "medium", flags: { high: "-f --force" }, why: "changes the work tree" },
    config: { level: "low", ladder: [{ level: "medium", why: "changes settings", unless: "^ (-\\S+ )*config (--(global|local|system|worktree|includes|show-origin|show-scope|name-only|null|type=\\w+|bool|int|path) |-z )*" +
    "([\\w.-]+\\.[\\w-]+|(get|--get|--get-all|--get-regexp) \\S+( \\S+)?|list|--list|-l)( --(show-origin|show-scope|name-only|global|local|system))* $" }], options: { value: "--file -f --get --get-all --get-regexp" } },
    stash: { sub: { low: "list show", medium: "*", high: "drop clear" }, noSub: "medium",
    options: { value: "-m --message" } }, log: { level: "low",
    options: { value: "-n --since --until --author --grep --format --pretty -S -G -L", "path-write": "--output" },
    why: "only reads" }, diff: { level: "low", flags: { medium: "--ext-diff" },
    options: { "path-write": "--output" }, why: "only reads" }, archive: { level: "low",
    options: { value: "--format --prefix", "path-write": "-o --output" }, why: "packs files" },
    grep: { level: "low", flags: { medium: "-O --open-files-in-pager" }, why: "only reads" } },
    effects: [...gitRuns, { does: "reads", if: "^[^:/ ]*:(.+)$", where: " (show|cat-file|blame|diff) " }], traits: [{ is: "text" }], reach: [{ kind: "service",
    sub: "fetch pull push clone ls-remote remote_update submodule_update fetch-pack send-pack " +
    "send-email request-pull archive lfs" }], exits: [{ where: "--exit-code --quiet", says: { 1: "they differ" } }],
    probes: [{ if: "^ clean ", run: "$0 $@ -n", shows: "what would be deleted",
      example: ["git clean -fdx",
      "git clean -fdx -n"] }, { if: "^ push ", unless: " -(f|d)\\w* | --(force|delete|mirror)", run: "$0 $@ --dry-run", shows: "what would be pushed",
      example: ["git push origin main",
      "git push origin main --dry-run"] }, { if: "^ (reset --hard|checkout|restore|stash) ", run: "$0 status --short", shows: "the changes that would be lost",
      example: ["git reset --hard",
      "git status --short"] }],
    match: { low: ["git log --oneline -10", "git branch -a"], medium: ["git pull", "git checkout main"],
      high: ["git reset --hard HEAD~1", "git clean -fdx", "git push --force"],
      block: ["git -c core.pager='rm -rf /' log"] } },
  { id: "vcs.other", names: "svn hg bzr gh glab",
    sub: { low: "status log diff info list cat blame st annotate heads tip summary pr_list pr_view pr_checks pr_diff pr_status mr_list mr_view ci_list ci_status pipeline_list issue_status release_view cache_list workflow_view gist_list label_list ruleset_list " +
    "issue_list issue_view repo_view run_list run_view auth_status release_list " + "workflow_list", medium: "*",
    high: "delete rm revert repo_delete secret_delete release_delete strip purge" }, deep: { api: { level: "low",
    flags: { medium: "-X --method -f -F --field --raw-field --input" },
    options: { value: "-X --method -f -F --field --raw-field --input -q --jq -H -t" }, why: "asks the forge" } },
    traits: [{ names: "gh glab svn hg", is: "text" }], reach: [{ names: "gh glab", kind: "service",
    options: { host: "--hostname" } }, { names: "svn hg bzr", kind: "request" }],
    match: { low: ["svn status", "gh api repos/o/r/issues"], medium: ["svn up"], high: ["svn revert -R ."] } },
  { id: "package.alternatives",
    names: "update-alternatives alternatives debconf-set-selections dpkg-reconfigure dpkg-divert " +
    "dpkg-statoverride ldconfig update-ca-certificates update-ca-trust fc-cache updatedb " +
    "mandb texhash a2query locale-gen", level: "medium", when: { medium: "--set --install --remove --auto --config",
    low: "--list --display --query -p --print-cache --get-selections --list-selections a2query" },
    unbounded: [{ names: "updatedb mandb", does: "it reads the whole file system" }],
    match: { low: ["update-alternatives --display java"], medium: ["ldconfig", "updatedb"] } },
];
