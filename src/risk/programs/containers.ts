/** Containers and clusters: the command inside is judged, and a mount of the host's root is the host's root. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { isRootTarget } from "../engine/paths.ts";

/** `docker run|exec|create`: options up to the image or container, then the program. */
export const docker: Check = (call) => {
  const { args, report, scan, stdin, program } = call;
  const at = args.findIndex((a) => /^(run|exec|create)$/.test(a.text));
  const verb = args[at]?.text ?? "";
  const { rest, mounts, isPrivileged, entrypoint } = splitRun(args.slice(at + 1), call);
  const [, ...command] = rest;
  if (verb !== "exec") report("medium", `${program} ${verb}: starts a container of ${shown(rest[0]?.text ?? "?")}`);
  if (isPrivileged) report("high", `${program} ${verb} gives the container the host's rights`);
  for (const mount of mounts) {
    const [from = "", to = "", mode = ""] = mount.split(":");
    if (!from.startsWith("/")) continue;
    if (/docker\.sock|containerd\.sock/.test(from)) report("high", `gives the container ${from}: control of the host`);
    else if (isRootTarget(literal(from), undefined, scan.protectedPaths)) {
      report("high", `mounts ${from} of the host into the container`);
      judgeMounted(call, { from, to, isReadOnly: mode.includes("ro") }, [
        ...(entrypoint ? [entrypoint] : []),
        ...command,
      ]);
    }
  }
  const words = entrypoint ? [entrypoint, ...command] : command;
  if (words.length === 0) return unknownFlow;
  return runInside(words, stdin, call);
};

/** The program in the container; its own root is not the host's, yet a block stays one: somebody's data is in there. */
const runInside = (words: readonly Arg[], stdin: Flow, { scan }: ProgramCall): Flow => scan.runArgs(words, stdin);

/** Paths below the mount point are the host's. */
function judgeMounted(
  { scan }: ProgramCall,
  mount: { from: string; to: string; isReadOnly: boolean },
  words: readonly Arg[],
): void {
  if (mount.isReadOnly) return;
  const onHost = words.map((word) => {
    const text = word.text.replaceAll(mount.to, mount.from === "/" ? "/" : mount.from).replaceAll("//", "/");
    return { ...word, text };
  });
  if (onHost.length > 0) scan.runArgs(onHost, nothing);
}

interface Run {
  readonly rest: readonly Arg[];
  readonly mounts: readonly string[];
  readonly isPrivileged: boolean;
  readonly entrypoint: Arg | undefined;
}

const runTakes =
  /^(-e|-v|-p|-w|-u|-l|-m|-h|-c|-a|--(env|env-file|volume|mount|publish|workdir|user|name|network|net|entrypoint|label|label-file|memory|memory-swap|cpus|cpu-shares|cpuset-cpus|hostname|add-host|restart|device|cap-add|cap-drop|security-opt|pid|ipc|uts|userns|platform|pull|log-driver|log-opt|link|ulimit|tmpfs|dns|dns-search|expose|gpus|health-cmd|ip|mac-address|runtime|shm-size|stop-signal|stop-timeout|sysctl|volumes-from|detach-keys|cidfile|group-add|cgroupns|cgroup-parent|index))$/;

function splitRun(args: readonly Arg[], { report }: ProgramCall): Run {
  const mounts: string[] = [];
  let isPrivileged = false;
  let entrypoint: Arg | undefined;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (!arg?.text.startsWith("-") || arg.text === "-") break;
    if (arg.text === "--") {
      i++;
      break;
    }
    const equals = arg.text.startsWith("--") ? arg.text.indexOf("=") : -1;
    const name = equals > 0 ? arg.text.slice(0, equals) : arg.text;
    const takesNext = equals < 0 && (runTakes.test(name) || /^-[ditPq]+[evpwul]$/.test(name));
    const value = equals > 0 ? { ...arg, text: arg.text.slice(equals + 1) } : takesNext ? args[i + 1] : undefined;
    if (takesNext) i++;
    const text = value?.text ?? "";
    if (/^-v|^--volume$/.test(name)) mounts.push(text || name.slice(2));
    if (name === "--mount")
      mounts.push(
        `${/(?:source|src)=([^,]*)/.exec(text)?.[1] ?? ""}:${/(?:target|destination|dst)=([^,]*)/.exec(text)?.[1] ?? ""}:${/readonly|ro=true|,ro\b/.test(text) ? "ro" : ""}`,
      );
    if (name === "--entrypoint") entrypoint = value;
    if (
      name === "--privileged" ||
      (/^--(pid|net|network|ipc|userns|uts)$/.test(name) && text === "host") ||
      (name === "--cap-add" && /SYS_ADMIN|ALL|SYS_PTRACE|SYS_MODULE/.test(text)) ||
      name === "--device" ||
      (name === "--security-opt" && text.includes("unconfined"))
    ) {
      isPrivileged = true;
    }
    if (
      !value &&
      name.length > 2 &&
      name.startsWith("--") &&
      !/^--(rm|detach|interactive|tty|init|privileged|read-only|publish-all|no-healthcheck|quiet|sig-proxy|oom-kill-disable|disable-content-trust)$/.test(
        name,
      ) &&
      equals < 0
    ) {
      report("medium", `has the option ${shown(name)}, which the rules do not know`, arg);
    }
  }
  return { rest: args.slice(i), mounts, isPrivileged, entrypoint };
}
