/**
 * Programs that run another program given in their arguments. An option that is not listed here makes the call high: what
 * follows it could be its value or the program, and guessing is how a block rule is slipped past.
 */
export interface Wrapper {
  readonly names: string;
  /** Options that take a value; long ones also as `--name=value`. */
  readonly takes?: string;
  /** Options without one. */
  readonly flags?: string;
  /** How many operands stand before the program (`timeout 5 …`). */
  readonly skip?: number;
  /** Words that may stand before the program or be left out (`setarch [ARCH] …`). */
  readonly skipWords?: string;
  /** `NAME=value` may stand before the program. */
  readonly assigns?: boolean;
  /** The rest is joined and read as shell text (`watch`, `ssh`) instead of being run as it stands. */
  readonly joins?: boolean;
  /** Options whose value is shell text. */
  readonly shell?: string;
  /** How options begin that, with a process named by `-p` or `--pid`, change that process. */
  readonly sets?: string;
  /** Options whose value is a file it writes. */
  readonly writes?: string;
  /** True where the operand before the program is a file it writes. */
  readonly writesFirst?: boolean;
  /** The program that what follows is given to, where it is not a program itself. */
  readonly runs?: string;
  /** What the wrapper itself adds. */
  readonly level?: "low" | "medium" | "high";
  /** True where options without a following program mean something harmless (`sudo -l`, `env`). */
  readonly alone?: "low" | "medium" | "high";
}

export const wrappers: readonly Wrapper[] = [
  {
    names: "sudo",
    takes:
      "-u -g -h -p -C -R -D -T -r -t -U --user --group --host --prompt --close-from --chroot --chdir --role --type --other-user --command-timeout",
    flags:
      "-n -E -H -S -b -k -K -A -B -P -i -s -l -v -e -V --non-interactive --preserve-env --set-home --stdin --login --shell --list --validate --background --reset-timestamp --remove-timestamp --askpass --bell",
    assigns: true,
    alone: "low",
  },
  { names: "doas", takes: "-u -C", flags: "-n -s -L", alone: "medium" },
  { names: "pkexec", takes: "--user", flags: "--disable-internal-agent --keep-cwd" },
  {
    names: "env",
    takes: "-u -C --unset --chdir -a --argv0",
    flags: "-i - -0 -v --ignore-environment --null --debug --block-signal --default-signal --ignore-signal",
    assigns: true,
    shell: "-S --split-string",
    alone: "low",
  },
  { names: "nice", takes: "-n --adjustment", flags: "-1 -5 -10 -15 -19 -20", alone: "low" },
  {
    names: "ionice",
    takes: "-c -n -p -P -u --class --classdata --pid",
    flags: "-t --ignore",
    sets: "-c -n --class",
    alone: "low",
  },
  {
    names: "nohup linux32 linux64 i386 x86_64 fakeroot caffeinate unbuffer dbus-run-session",
    flags: "-R --addr-no-randomize",
  },
  {
    names: "setarch",
    flags: "-R -B -3 -F -I -L -S -T -X -Z -v --addr-no-randomize --32bit --3gb --uname-2.6 --verbose",
    skipWords: "x86_64 i386 i486 i586 i686 linux32 linux64 aarch64 arm arm64 ppc64le s390x",
    alone: "medium",
  },
  { names: "setsid", flags: "-c -f -w --ctty --fork --wait" },
  { names: "stdbuf", takes: "-i -o -e --input --output --error" },
  {
    names: "time",
    writes: "-o --output",
    takes: "-f -o --format --output",
    flags: "-p -v -a -q --portability --verbose --append --quiet",
  },
  {
    names: "timeout",
    takes: "-s -k --signal --kill-after",
    flags: "-v -f -p --preserve-status --foreground --verbose",
    skip: 1,
  },
  {
    names: "chrt",
    takes: "-T -P -D --sched-runtime --sched-period --sched-deadline -p --pid",
    flags: "-f -r -b -i -o -d -R -v -m -a --fifo --rr --batch --idle --other --reset-on-fork",
    skip: 1,
    alone: "medium",
  },
  { names: "taskset", takes: "-p --pid", flags: "-c -a --cpu-list --all-tasks -pc -cp", skip: 1, alone: "medium" },
  {
    names: "flock",
    takes: "-w -E --timeout --wait --conflict-exit-code",
    flags: "-s -x -e -n -u -o -F -v --shared --exclusive --nonblock --nb --unlock --close --no-fork --verbose",
    shell: "-c --command",
    skip: 1,
    alone: "low",
  },
  {
    names: "unshare",
    takes: "-R -w -S -G --root --wd --setuid --setgid --propagation --map-user --map-group --setgroups",
    flags:
      "-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup --time --fork --map-root-user --mount-proc --kill-child",
    level: "medium",
  },
  {
    names: "nsenter",
    takes: "-t --target -S -G --setuid --setgid",
    flags:
      "-m -u -i -n -p -U -C -T -r -w -F -a -Z --mount --uts --ipc --net --pid --user --cgroup --time --root --wd --all --no-fork --preserve-credentials",
  },
  { names: "chroot", takes: "--userspec --groups", flags: "--skip-chdir", skip: 1, level: "medium" },
  {
    names: "su",
    takes: "-u -g -G -s -w --user --group --supp-group --shell --whitelist-environment",
    flags: "- -l -m -p -f -P --login --preserve-environment --fast --pty",
    skip: 1,
    shell: "-c --command --session-command",
    alone: "medium",
  },
  {
    names: "runuser",
    takes: "-u -g -G -s -w --user --group --supp-group --shell --whitelist-environment",
    flags: "- -l -m -p -f -P --login --preserve-environment --fast --pty",
    shell: "-c --command --session-command",
    alone: "medium",
  },
  {
    names: "systemd-run",
    takes:
      "-u -p -H -M -E -t --unit --property --description --slice --uid --gid --nice --working-directory --setenv --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property --host --machine --service-type",
    flags:
      "-P -q -G -S -r -d --user --system --scope --pty --pipe --quiet --wait --collect --shell --no-block --no-ask-password --remain-after-exit --same-dir --send-sighup",
    level: "medium",
  },
  {
    names: "systemd-inhibit",
    takes: "--what --who --why --mode",
    flags: "--no-pager --list --no-legend",
    alone: "low",
  },
  { names: "command", flags: "-p", alone: "low" },
  { names: "builtin noglob nocorrect busybox toybox coproc", alone: "low" },
  { names: "exec", takes: "-a", flags: "-c -l -cl", alone: "low" },
  {
    names: "strace ltrace",
    writes: "-o --output",
    takes: "-p -o -e -s -u -P -E -I -O -S -a -b -X -A -D -F -n -l -x --trace --attach --output --string-limit --user",
    flags: "-f -ff -c -C -t -tt -ttt -T -v -y -yy -q -qq -k -r -i -d -w -L -Z -z --follow-forks --summary-only",
    level: "medium",
    alone: "medium",
  },
  {
    names: "perf-trace catchsegv proxychains proxychains4 torsocks tsocks cgexec",
    takes: "-g -f",
    flags: "-q --sticky",
  },
  {
    names: "firejail bwrap",
    takes: "--bind --ro-bind --dev --proc --tmpfs --chdir --profile --net",
    flags: "--noprofile --quiet --private --unshare-all --die-with-parent",
    level: "medium",
  },
  {
    names: "setpriv",
    takes:
      "--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits --pdeathsig --selinux-label --apparmor-profile",
    flags: "--clear-groups --keep-groups --init-groups --no-new-privs --nnp --reset-env --dump",
    alone: "low",
  },
  {
    names: "gosu su-exec chpst setuidgid",
    takes: "-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -t -r",
    flags: "-v -P -0 -1 -2",
    skip: 1,
  },
  {
    names: "numactl",
    takes: "-i -N -m -C -p -l --interleave --cpunodebind --membind --physcpubind --preferred",
    flags: "-H --hardware -s --show --localalloc",
    alone: "low",
  },
  {
    names: "prlimit",
    takes: "-p --pid --nofile --nproc --core --cpu --as --data --fsize --memlock --stack",
    flags: "--noheadings --raw",
    sets: "--nofile= --nproc= --core= --cpu= --as= --data= --fsize= --memlock= --stack= --rss= --nice= -n -u -c -t -v -d -f -l -s",
    alone: "low",
  },
  {
    names: "capsh",
    takes: "--drop --user --uid --gid --caps --addamb --inh --mode --secbits --groups --keep --decode --shell --chroot",
    flags: "--print --current --modes --noamb --noenv --strict",
    runs: "bash",
    alone: "low",
  },
  {
    names: "watch",
    takes: "-n -q --interval --equexit",
    flags: "-d -t -b -e -g -c -p -x -w --differences --no-title --beep --errexit --chgexit --color --precise --no-wrap",
    joins: true,
  },
  {
    names: "script",
    takes: "-I -O -B -T -m -o -E --log-in --log-out --log-io --log-timing",
    flags: "-q -a -e -f -t --quiet --append --return --flush --force",
    shell: "-c --command",
    skip: 1,
    writesFirst: true,
    writes: "-I -O -B -T --log-in --log-out --log-io --log-timing",
    level: "medium",
    alone: "medium",
  },
  { names: "xvfb-run", takes: "-n -s -e -f -p -w", flags: "-a --auto-servernum" },
  { names: "sg newgrp", shell: "-c", skip: 1, joins: true, alone: "medium" },
  {
    names: "sshpass",
    takes: "-p -f -d -P",
    flags: "-e -v",
    level: "medium",
  },
  {
    names: "ssh autossh",
    takes: "-p -i -l -F -o -J -c -m -b -e -E -I -L -R -D -Q -S -W -w -B -M -O",
    flags: "-4 -6 -A -a -C -f -G -g -K -k -N -n -q -s -T -t -tt -V -v -vv -vvv -X -x -Y -y",
    skip: 1,
    joins: true,
    level: "medium",
    alone: "medium",
  },
  { names: "eval", joins: true, alone: "low" },
  {
    names: "valgrind rr heaptrack",
    takes: "--tool --log-file --leak-check",
    flags: "-q -v --trace-children=yes",
    level: "medium",
  },
  {
    names:
      "choom multitime logsave setlock rlwrap aa-exec openvt grc torify genie ksu pexec softlimit uclampset runcon dbus-launch run0 faketime chronic ifne mispipe",
    takes:
      "-n -p -c -u -e -f -o -l -H -s -t -m -M -a -d --adjust --profile --namespace --user --conf --unit --property --slice --setenv --background",
    flags: "-q -v -w -s -d -i --pty --colour=on --colour=off --colour=auto",
    writes: "-l",
    level: "medium",
    alone: "medium",
  },
  {
    names: "cpulimit",
    takes: "-l -p -e -P --limit --pid --exe",
    flags: "-f -z -b -v -i -m --foreground --lazy",
    alone: "medium",
  },
  { names: "then do else", alone: "low" },
];
