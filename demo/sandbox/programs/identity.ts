import { timeOfDay } from "../clock.ts";
import { fail, type Program, say } from "../program.ts";

const user = "ops";

export const hostname: Program = (args, { machine }) =>
  say(
    args.includes("-I") || args.includes("-i")
      ? machine.address
      : args.includes("-f")
        ? `${machine.name}.acme.internal`
        : machine.name,
  );

export const uname: Program = (args, { machine }) => {
  const flags = args.join("");
  if (flags.includes("a"))
    return say(`Linux ${machine.name} 6.1.0-37-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.140-1 x86_64 GNU/Linux`);
  const parts = [
    /s/.test(flags) && "Linux",
    /n/.test(flags) && machine.name,
    /r/.test(flags) && "6.1.0-37-amd64",
    /m/.test(flags) && "x86_64",
  ];
  return say(parts.filter((p) => p !== false).join(" ") || "Linux");
};

export const whoami: Program = () => say(user);
export const id: Program = (args) =>
  say(
    args.includes("-u")
      ? "1000"
      : args.includes("-un")
        ? user
        : `uid=1000(${user}) gid=1000(${user}) groups=1000(${user}),4(adm),27(sudo)`,
  );
export const nproc: Program = () => say("4");
export const who: Program = (_args, { machine }) =>
  say(
    `${user}     pts/0        ${machine.now().toISOString().slice(0, 10)} ${timeOfDay(machine.now()).slice(0, 5)} (10.0.0.5)`,
  );
export const groups: Program = () => say(`${user} adm sudo`);

/** `sudo`: ops may everything; options before the command are taken and have no effect. */
export const sudo: Program = (args, { run }) => {
  const start = args.findIndex(
    (arg, i) => !arg.startsWith("-") && !/^-[ugUC]$/.test(args[i - 1] ?? "") && !/^\w+=/.test(arg),
  );
  if (args.includes("-l"))
    return say(`User ${user} may run the following commands on this host:\n    (ALL : ALL) NOPASSWD: ALL`);
  return start < 0 ? fail("usage: sudo -h | -K | -k | -V") : run(args.slice(start));
};

export const dmesg: Program = (_args, { machine }) => {
  const since = (at: Date): string => ((at.getTime() - machine.bootedAt.getTime()) / 1000).toFixed(6).padStart(14);
  return say(
    machine.journal
      .filter((l) => l.source === "kernel")
      .map((l) => `[${since(l.at)}] ${l.text}`)
      .join("\n"),
  );
};
