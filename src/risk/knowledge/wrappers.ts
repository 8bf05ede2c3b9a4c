/** Programs that run the program given in their arguments. */
import type { Program } from "../program.ts";

type Wrapper = Omit<Program, "id" | "match"> & Partial<Pick<Program, "match">> & Required<Pick<Program, "wraps">>;

/** Gives a wrapper its examples: its level alone or before a harmless program, and that what it starts is judged. */
const withExamples = ({ names, ...rest }: Wrapper): Program => {
  const [name = ""] = names.split(" ");
  const { skip, alone, level = alone } = rest.wraps;
  const call = skip === undefined ? name : `${name} 5`;
  const shows = level === undefined ? { low: [`${call} uptime`] } : { [alone ?? level]: [name] };
  return { id: `wrapper.${name}`, names, ...rest, match: rest.match ?? { ...shows, block: [`${call} rm -rf /`] } };
};

// biome-ignore format: filled to the width
const wrappers: readonly Wrapper[] = [
  { names: "sudo",
    options: { flag: "-n -E -H -S -b -k -K -A -B -P -i -s -l -v -e -V --non-interactive --preserve-env " +
    "--set-home --stdin --login --shell --list --validate --background --reset-timestamp " +
    "--remove-timestamp --askpass --bell",
    value: "-u -g -h -p -C -R -D -T -r -t -U --user --group --host --prompt --close-from --chroot " +
    "--chdir --role --type --other-user --command-timeout" }, wraps: { assigns: true, alone: "low" } },
  { names: "doas", options: { flag: "-n -s -L", value: "-u -C" }, wraps: { alone: "medium" } },
  { names: "pkexec", options: { flag: "--disable-internal-agent --keep-cwd", value: "--user" },
    wraps: {} },
  { names: "env",
    options: { flag: "-i - -0 -v --ignore-environment --null --debug --block-signal --default-signal " +
    "--ignore-signal", value: "-u -C --unset --chdir -a --argv0", argv: "-S --split-string" },
    wraps: { assigns: true, alone: "low" } },
  { names: "nice", options: { flag: "-1 -5 -10 -15 -19 -20", value: "-n --adjustment" },
    wraps: { alone: "low" } },
  { names: "ionice", options: { flag: "-t --ignore",
    value: "-c -n -p -P -u --class --classdata --pid" }, wraps: { sets: "-c -n --class", alone: "low" } },
  { names: "nohup linux32 linux64 i386 x86_64 fakeroot caffeinate unbuffer dbus-run-session",
    options: { flag: "-R --addr-no-randomize" }, wraps: {} },
  { names: "setarch",
    options: { flag: "-R -B -3 -F -I -L -S -T -X -Z -v --addr-no-randomize --32bit --3gb --uname-2.6 --verbose" },
    wraps: { skipWords: "x86_64 i386 i486 i586 i686 linux32 linux64 aarch64 arm arm64 ppc64le s390x", alone: "medium" } },
  { names: "setsid", options: { flag: "-c -f -w --ctty --fork --wait" }, wraps: {} },
  { names: "stdbuf", options: { value: "-i -o -e --input --output --error" }, wraps: {} },
  { names: "time", options: { flag: "-p -v -a -q --portability --verbose --append --quiet",
    value: "-f --format", "path-write": "-o --output" }, wraps: {}, match: { low: ["time"], block: ["time rm -rf /"] } },
  { names: "timeout", options: { flag: "-v -f -p --preserve-status --foreground --verbose",
    value: "-s -k --signal --kill-after" }, wraps: { skip: 1 } },
  { names: "chrt",
    options: { flag: "-f -r -b -i -o -d -R -v -m -a --fifo --rr --batch --idle --other --reset-on-fork",
    value: "-T -P -D --sched-runtime --sched-period --sched-deadline -p --pid" }, wraps: { skip: 1, alone: "medium" } },
  { names: "taskset",
    options: { flag: "-c -a --cpu-list --all-tasks -pc -cp", value: "-p --pid" }, wraps: { skip: 1, alone: "medium" } },
  { names: "flock",
    options: { flag: "-s -x -e -n -u -o -F -v --shared --exclusive --nonblock --nb --unlock --close " +
    "--no-fork --verbose", value: "-w -E --timeout --wait --conflict-exit-code", argv: "-c --command" },
    wraps: { skip: 1, alone: "low" } },
  { names: "unshare",
    options: { flag: "-m -u -i -n -p -U -C -T -f -r -c --mount --uts --ipc --net --pid --user --cgroup " +
    "--time --fork --map-root-user --mount-proc --kill-child",
    value: "-R -w -S -G --root --wd --setuid --setgid --propagation --map-user --map-group --setgroups" },
    wraps: { level: "medium" } },
  { names: "nsenter",
    options: { flag: "-m -u -i -n -p -U -C -T -r -w -F -a -Z --mount --uts --ipc --net --pid --user " +
    "--cgroup --time --root --wd --all --no-fork --preserve-credentials",
    value: "-t --target -S -G --setuid --setgid" }, wraps: {} },
  { names: "chroot", options: { flag: "--skip-chdir", value: "--userspec --groups" },
    wraps: { skip: 1, level: "medium" } },
  { names: "su", options: { flag: "- -l -m -p -f -P --login --preserve-environment --fast --pty",
    value: "-u -g -G -s -w --user --group --supp-group --shell --whitelist-environment",
    argv: "-c --command --session-command" }, wraps: { skip: 1, alone: "medium" } },
  { names: "runuser",
    options: { flag: "- -l -m -p -f -P --login --preserve-environment --fast --pty",
    value: "-u -g -G -s -w --user --group --supp-group --shell --whitelist-environment",
    argv: "-c --command --session-command" }, wraps: { alone: "medium" } },
  { names: "systemd-run",
    options: { flag: "-P -q -G -S -r -d --user --system --scope --pty --pipe --quiet --wait --collect " +
    "--shell --no-block --no-ask-password --remain-after-exit --same-dir --send-sighup",
    value: "-u -p -H -M -E -t --unit --property --description --slice --uid --gid --nice " +
    "--working-directory --setenv --on-active --on-boot --on-startup --on-unit-active " +
    "--on-unit-inactive --on-calendar --timer-property --host --machine --service-type" }, wraps: { level: "medium" } },
  { names: "systemd-inhibit", options: { flag: "--no-pager --list --no-legend",
    value: "--what --who --why --mode" }, wraps: { alone: "low" } },
  { names: "command", options: { flag: "-p" }, wraps: { alone: "low" },
    exits: [{ where: "-v -V", says: { 1: "not found", 127: "not found" } }] },
  { names: "builtin noglob nocorrect busybox toybox coproc", wraps: { alone: "low" } },
  { names: "exec", options: { flag: "-c -l -cl", value: "-a" }, wraps: { alone: "low" } },
  { names: "strace ltrace",
    options: { flag: "-f -ff -c -C -t -tt -ttt -T -v -y -yy -q -qq -k -r -i -d -w -L -Z -z --follow-forks " +
    "--summary-only",
    value: "-p -e -s -u -P -E -I -O -S -a -b -X -A -D -F -n -l -x --trace --attach --string-limit --user",
    "path-write": "-o --output" }, wraps: { level: "medium", alone: "medium" }, unbounded: [{ endless: "-p --attach",
    does: "it traces until it is stopped", instead: "timeout 10 strace -p …" }] },
  { names: "perf-trace catchsegv proxychains proxychains4 torsocks tsocks cgexec",
    options: { flag: "-q --sticky", value: "-g -f" }, wraps: {} },
  { names: "firejail bwrap",
    options: { flag: "--noprofile --quiet --private --unshare-all --die-with-parent",
    value: "--bind --ro-bind --dev --proc --tmpfs --chdir --profile --net" }, wraps: { level: "medium" } },
  { names: "setpriv",
    options: { flag: "--clear-groups --keep-groups --init-groups --no-new-privs --nnp --reset-env --dump",
    value: "--reuid --regid --groups --inh-caps --bounding-set --ambient-caps --securebits " +
    "--pdeathsig --selinux-label --apparmor-profile" }, wraps: { alone: "low" } },
  { names: "gosu su-exec chpst setuidgid", options: { flag: "-v -P -0 -1 -2",
    value: "-u -U -b -e -/ -n -l -L -m -d -o -p -f -c -t -r" }, wraps: { skip: 1 } },
  { names: "numactl", options: { flag: "-H --hardware -s --show --localalloc",
    value: "-i -N -m -C -p -l --interleave --cpunodebind --membind --physcpubind --preferred" },
    wraps: { alone: "low" } },
  { names: "prlimit", options: { flag: "--noheadings --raw",
    value: "-p --pid --nofile --nproc --core --cpu --as --data --fsize --memlock --stack" },
    wraps: { sets: "--nofile= --nproc= --core= --cpu= --as= --data= --fsize= --memlock= --stack= --rss= " +
    "--nice= -n -u -c -t -v -d -f -l -s", alone: "low" } },
  { names: "capsh", options: { flag: "--print --current --modes --noamb --noenv --strict",
    value: "--drop --user --uid --gid --caps --addamb --inh --mode --secbits --groups --keep " +
    "--decode --shell --chroot" }, wraps: { runs: "bash", alone: "low" } },
  { names: "watch",
    options: { flag: "-d -t -b -e -g -c -p -x -w --differences --no-title --beep --errexit --chgexit " +
    "--color --precise --no-wrap", value: "-n -q --interval --equexit" }, wraps: { joins: true },
    unbounded: [{ does: "watch never ends", instead: "timeout 60 watch …" }] },
  { names: "script", options: { flag: "-q -a -e -f -t --quiet --append --return --flush --force",
    value: "-m -o -E", "path-write": "-I -O -B -T --log-in --log-out --log-io --log-timing", argv: "-c --command" },
    wraps: { skip: 1, writesFirst: true, level: "medium", alone: "medium" } },
  { names: "xvfb-run", options: { flag: "-a --auto-servernum", value: "-n -s -e -f -p -w" },
    wraps: {} },
  { names: "sg newgrp", options: { argv: "-c" }, wraps: { skip: 1, joins: true, alone: "medium" } },
  { names: "sshpass", options: { flag: "-e -v", value: "-p -f -d -P" },
    wraps: { level: "medium" } },
  { names: "ssh autossh",
    options: { flag: "-4 -6 -A -a -C -f -G -g -K -k -N -n -q -s -T -t -tt -V -v -vv -vvv -X -x -Y -y",
    secret: "-i", value: "-p -l -F -o -J -c -m -b -e -E -I -L -R -D -Q -S -W -w -B -M -O" },
    wraps: { skip: 1, joins: true, level: "medium", alone: "medium" },
    traits: [{ names: "ssh", is: "names" }, { names: "ssh", is: "client" }],
    reach: [{ kind: "copy", operands: "host-first", stdin: true }] },
  { names: "eval", wraps: { joins: true, alone: "low" } },
  { names: "valgrind rr heaptrack", options: { flag: "-q -v --trace-children=yes",
    value: "--tool --log-file --leak-check" }, wraps: { level: "medium" } },
  { names: "choom multitime logsave setlock rlwrap aa-exec openvt grc torify genie ksu pexec " +
    "softlimit uclampset runcon dbus-launch run0 faketime chronic ifne mispipe",
    options: { flag: "-q -v -w -s -d -i --pty --colour=on --colour=off --colour=auto",
    value: "-n -p -c -u -e -f -o -H -t -m -M -a --adjust --profile --namespace --user --conf " +
    "--unit --property --slice --setenv --background", "path-write": "-l" },
    wraps: { level: "medium", alone: "medium" } },
  { names: "cpulimit", options: { flag: "-f -z -b -v -i -m --foreground --lazy",
    value: "-l -p -e -P --limit --pid --exe" }, wraps: { alone: "medium" } },
  { names: "then do else", wraps: {}, match: { block: ["then rm -rf /"] } },
];

export const wrapperRules: readonly Program[] = wrappers.map(withExamples);
