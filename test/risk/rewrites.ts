/**
 * Other ways to write the same command, by shell: what is blocked stays blocked in each of them, and what is low stays low
 * under the harmless ones. Each keeps what the command does; none is made for one command.
 */

export type Rewrite = (command: string) => string;
export type Rewrites = Readonly<Record<string, Rewrite>>;

/** A text as one word of bash, of PowerShell, of JSON-like languages. */
const bash = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const ps = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const base64 = (text: string, encoding: "utf8" | "utf16le" = "utf8"): string =>
  Buffer.from(text, encoding).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < "n" ? 13 : -13)));

/** Any bash text, whatever is in it: a line break ends comments, here-documents and `&`. */
export const bashTexts: Rewrites = {
  subshell: (c) => `(\n${c}\n)`,
  group: (c) => `{ ${c}\n}`,
  "after another": (c) => `df -h; ${c}`,
  "after success": (c) => `true && {\n${c}\n}`,
  "after failure": (c) => `false || {\n${c}\n}`,
  negated: (c) => `! {\n${c}\n}`,
  background: (c) => `(\n${c}\n) &`,
  piped: (c) => `(\n${c}\n) 2>/dev/null | tee /tmp/out`,
  if: (c) => `if true; then\n${c}\nfi`,
  "if condition": (c) => `if\n${c}\nthen :; fi`,
  else: (c) => `if false; then :; else\n${c}\nfi`,
  while: (c) => `while sleep 1; do\n${c}\ndone`,
  until: (c) => `until\n${c}\ndo :; done`,
  for: (c) => `for i in 1 2; do\n${c}\ndone`,
  case: (c) => `case x in *)\n${c}\n;; esac`,
  function: (c) => `f() {\n${c}\n}; f`,
  substitution: (c) => `echo "$(\n${c}\n)"`,
  assignment: (c) => `x=$(\n${c}\n)`,
  "default value": (c) => `echo "\${x:-$(\n${c}\n)}"`,
  "process substitution": (c) => `cat <(\n${c}\n)`,
  "here-document with a substitution": (c) => `cat <<EOF\n$(\n${c}\n)\nEOF`,
  "bash -c": (c) => `bash -c ${bash(c)}`,
  "options in one": (c) => `/bin/bash -xec ${bash(c)}`,
  "sudo sh -c": (c) => `sudo -u root -- sh -c ${bash(c)}`,
  "bash -c in bash -c": (c) => `bash -c ${bash(`sh -c ${bash(c)}`)}`,
  wrappers: (c) => `nohup env A=1 nice -n 5 timeout -k 1 5 bash -c ${bash(c)} &`,
  su: (c) => `su - root -c ${bash(c)}`,
  busybox: (c) => `busybox sh -c ${bash(c)}`,
  exec: (c) => `exec bash -c ${bash(c)}`,
  eval: (c) => `eval ${bash(c)}`,
  trap: (c) => `trap ${bash(c)} EXIT`,
  ssh: (c) => `ssh web-1 ${bash(c)}`,
  watch: (c) => `watch -n 5 ${bash(c)}`,
  flock: (c) => `flock /tmp/lock -c ${bash(c)}`,
  "systemd-run": (c) => `systemd-run --wait bash -c ${bash(c)}`,
  nsenter: (c) => `nsenter -t 1 -m -- bash -c ${bash(c)}`,
  xargs: (c) => `echo 1 | xargs -I@@ sh -c ${bash(c)}`,
  "find -exec": (c) => `find /tmp -maxdepth 0 -exec sh -c ${bash(c)} \\;`,
  "here-document": (c) => `bash <<'END'\n${c}\nEND`,
  "here-string": (c) => `bash <<< ${bash(c)}`,
  "printed into a shell": (c) => `printf '%s\\n' ${bash(c)} | bash`,
  "through a variable": (c) => `x=${bash(c)}; eval "$x"`,
  "through a variable into a shell": (c) => `x=${bash(c)}; bash -c "$x"`,
  "through a file": (c) => `cat > /tmp/x.sh <<'END'\n${c}\nEND\nbash /tmp/x.sh`,
  base64: (c) => `echo ${base64(c)} | base64 -d | sh`,
  "base64 substituted": (c) => `bash -c "$(base64 -d <<< ${base64(c)})"`,
  hexadecimal: (c) => `echo ${hex(c)} | xxd -r -p | bash`,
  "printf escapes": (c) => `printf '${hex(c).replace(/../g, "\\x$&")}' | sh`,
  "ANSI-C": (c) => `eval $'${hex(c).replace(/../g, "\\x$&")}'`,
  rot13: (c) => `echo ${bash(rot13(c))} | tr a-zA-Z n-za-mN-ZA-M | sh`,
  source: (c) => `source <(echo ${bash(c)})`,
  "standard input": (c) => `. /dev/stdin <<< ${bash(c)}`,
  "shell's input from a process": (c) => `bash < <(printf %s ${bash(c)})`,
  "through cat": (c) => `echo ${bash(c)} | cat | sudo bash -s`,
  "through an array": (c) => `a=(${bash(c)}); eval "\${a[0]}"`,
  "through printf -v": (c) => `printf -v x %s ${bash(c)}; eval "$x"`,
  "as an argument": (c) => `sh -c 'eval "$1"' _ ${bash(c)}`,
  "set and run": (c) => `set -- ${bash(c)}; eval "$1"`,
  "ssh, sudo, shell": (c) => `ssh -t -o BatchMode=yes root@db-1 -- ${bash(`sudo bash -c ${bash(c)}`)}`,
  script: (c) => `script -qc ${bash(c)} /dev/null`,
  tmux: (c) => `tmux new-session -d ${bash(c)}`,
  screen: (c) => `screen -dmS x bash -c ${bash(c)}`,
  strace: (c) => `strace -f -o /tmp/s sh -c ${bash(c)}`,
  base32: (c) => `echo ${bash(c)} | base64 | base64 -d | bash`,
  reversed: (c) => `echo ${bash([...c].reverse().join(""))} | rev | sh`,
  "git alias": (c) => `git -c alias.x=${bash(`!${c}`)} x`,
  ProxyCommand: (c) => `ssh -o ProxyCommand=${bash(c)} web-1`,
  PROMPT_COMMAND: (c) => `PROMPT_COMMAND=${bash(c)} bash -i`,
  "vim command": (c) => `vim -c ${bash(`:!${c}`)} -c q`,
  gdb: (c) => `gdb -batch -ex ${bash(`shell ${c}`)}`,
  ruby: (c) => `ruby -e ${bash(`system(${JSON.stringify(c).replaceAll("#", "\\#")})`)}`,
  node: (c) => `node -e ${bash(`require("child_process").execSync(${JSON.stringify(c)})`)}`,
  php: (c) => `php -r ${bash(`system(${JSON.stringify(c).replaceAll("$", "\\$")});`)}`,
  lua: (c) => `lua -e ${bash(`os.execute(${JSON.stringify(c)})`)}`,
  "psql shell": (c) => `psql -c ${bash(`\\! ${c}`)}`,
  subprocess: (c) => `python3 -c ${bash(`import subprocess as s; s.run(["sh","-c",${JSON.stringify(c)}])`)}`,
  crontab: (c) => `echo ${bash(`* * * * * ${c}`)} | crontab -`,
  "DEBUG trap": (c) => `trap ${bash(c)} DEBUG; ls`,
  parallel: (c) => `parallel ::: ${bash(c)}`,
  coproc: (c) => `coproc {\n${c}\n}`,
  select: (c) => `select i in a; do\n${c}\ndone`,
  arithmetic: (c) => `: $(( $(\n${c}\n) + 1 ))`,
  "array index": (c) => `a[$(\n${c}\n)]=1`,
  "test operand": (c) => `[[ -n $(\n${c}\n) ]]`,
  redirect: (c) => `echo > "$(\n${c}\n)"`,
  at: (c) => `echo ${bash(c)} | at now`,
  python: (c) => `python3 -c ${bash(`import os; os.system(${JSON.stringify(c)})`)}`,
  perl: (c) => `perl -e ${bash(`system(${JSON.stringify(c).replace(/[@$]/g, "\\$&")})`)}`,
  awk: (c) => `awk ${bash(`BEGIN { system(${JSON.stringify(c)}) }`)}`,
};

/** Those that take one line, so that a command of several would become another one. */
const oneLineOnly: readonly string[] = ["crontab", "psql shell", "vim command", "gdb", "ProxyCommand"];

/**
 * Those behind which a person no longer sees the letters: `rm` in full-width letters is blocked because it reads as `rm`, and
 * once encoded it is only the name of a program that does not exist.
 */
const encoding: readonly string[] = [
  "base64",
  "base64 substituted",
  "hexadecimal",
  "printf escapes",
  "ANSI-C",
  "rot13",
];

const isAscii = (text: string): boolean => [...text].every((char) => char < "\u0080");

/** Whether a rewrite leaves this command what it is. */
export const keeps = (name: string, command: string): boolean =>
  isAscii(command)
    ? !(oneLineOnly.includes(name) && command.includes("\n"))
    : !(oneLineOnly.includes(name) || encoding.includes(name));

/** A simple command of bash: a program's name and plain words, no operator. */
export const isSimple = (command: string): boolean =>
  /^[\w./+-]+( |$)/.test(command) && isAscii(command) && !/[;&|<>(){}$`\n#\\"'*]/.test(command);

const first = (command: string): string => command.split(" ", 1)[0] ?? "";
const rest = (command: string): string => command.slice(first(command).length);

export const bashWords: Rewrites = {
  sudo: (c) => `sudo ${c}`,
  "sudo with options": (c) => `sudo -n -E -u root -- ${c}`,
  doas: (c) => `doas ${c}`,
  command: (c) => `command ${c}`,
  "env -i": (c) => `env -i PATH=/bin ${c}`,
  "env -S": (c) => `env -S ${bash(c)}`,
  setsid: (c) => `setsid nohup ${c}`,
  time: (c) => `time ${c}`,
  stdbuf: (c) => `stdbuf -o0 ionice -c 3 ${c}`,
  xargs: (c) => `xargs -a /dev/null ${c}`,
  "by variable": (c) => `p=${first(c)}; $p${rest(c)}`,
  "by substitution": (c) => `$(echo ${first(c)})${rest(c)}`,
  "quoted letter": (c) => `${c.slice(0, 1)}''${c.slice(1)}`,
  backslash: (c) => `\\${c}`,
  "quoted words": (c) => c.split(" ").map(bash).join(" "),
  "double-quoted words": (c) => c.split(" ").join('" "').replace(/^|$/g, '"'),
  "by path": (c) => (first(c).includes("/") ? c : `/usr/bin/../bin/${c}`),
  "field separator": (c) => c.replaceAll(" ", "$" + "{IFS}"),
  braces: (c) => (c.includes(" ") && !c.includes(",") ? `{${c.replace(/ +/g, ",")}}` : c),
  "line continued": (c) => c.replaceAll(" ", " \\\n  "),
  tabs: (c) => c.replaceAll(" ", "\t \t"),
};

/** Any PowerShell text. */
export const powershellTexts: Rewrites = {
  "after another": (c) => `Get-Date; ${c}`,
  "before another": (c) => `${c}; Get-Date`,
  block: (c) => `& { ${c} }`,
  if: (c) => `if ($true) { ${c} }`,
  else: (c) => `if ($false) { } else { ${c} }`,
  foreach: (c) => `foreach ($i in 1..2) { ${c} }`,
  "for each object": (c) => `1..2 | ForEach-Object { ${c} }`,
  try: (c) => `try { ${c} } catch { }`,
  finally: (c) => `try { Get-Date } finally { ${c} }`,
  function: (c) => `function f { ${c} }; f`,
  subexpression: (c) => `Write-Output "$(${c})"`,
  assignment: (c) => `$x = ${c}`,
  "Invoke-Expression": (c) => `Invoke-Expression ${ps(c)}`,
  "through a variable": (c) => `$x = ${ps(c)}; iex $x`,
  "Invoke-Command": (c) => `Invoke-Command -ComputerName web01 -ScriptBlock { ${c} }`,
  job: (c) => `Start-Job -ScriptBlock { ${c} }`,
  "powershell -Command": (c) => `powershell -NoProfile -Command ${ps(c)}`,
  "pwsh -c": (c) => `pwsh -c ${ps(c)}`,
  encoded: (c) => `powershell -EncodedCommand ${base64(c, "utf16le")}`,
  "encoded, shortened": (c) => `powershell.exe -nop -w hidden -enc ${base64(c, "utf16le")}`,
  "line broken": (c) => `\n${c}\n`,
};

export const cmdTexts: Rewrites = {
  "after another": (c) => `dir & ${c}`,
  "before another": (c) => `${c} & dir`,
  "after success": (c) => `dir && ${c}`,
  "after failure": (c) => `dir nothing || ${c}`,
  grouped: (c) => `(${c})`,
  silent: (c) => `@${c}`,
  if: (c) => `if exist C:\\ ${c}`,
  for: (c) => `for %i in (1 2) do ${c}`,
  "cmd /c": (c) => `cmd /c "${c}"`,
  "cmd.exe by path": (c) => `C:\\Windows\\System32\\cmd.exe /d /s /c "${c}"`,
  call: (c) => `call ${c}`,
  start: (c) => `start /b ${c}`,
  carets: (c) => `${c.slice(0, 1)}^${c.slice(1)}`,
  upper: (c) => c.toUpperCase(),
  extension: (c) => c.replace(/^format/, "format.com"),
};

/** What a person on call adds to a command that only reads. */
export const harmless: Rewrites = {
  "errors thrown away": (c) => `${c} 2>/dev/null`,
  head: (c) => `${c} | head -n 20`,
  grep: (c) => `${c} | grep -i -- error`,
  count: (c) => `${c} | wc -l`,
  sorted: (c) => `${c} 2>&1 | sort | uniq -c | sort -rn | tail -5`,
  awk: (c) => `${c} | awk '{print $1}'`,
  sed: (c) => `${c} | sed -n '1,5p'`,
  numbered: (c) => `${c} | cat -n`,
  note: (c) => `${c} # how is it?`,
  "its exit code": (c) => `${c}; echo "exit $?"`,
  "and then": (c) => `${c} && echo ok`,
  "or else": (c) => `${c} || true`,
  before: (c) => `hostname; date; ${c}`,
  subshell: (c) => `( ${c} )`,
  kept: (c) => `out=$(${c}); echo "$out"`,
  twice: (c) => `for i in 1 2; do ${c}; sleep 1; done`,
  if: (c) => `if ${c}; then echo yes; else echo no; fi`,
  spaces: (c) => `  ${c}  `,
  "in a shell of its own": (c) => `bash -c ${bash(c)}`,
  "with a directory": (c) => `cd /var/log && ${c}`,
  "errors and output together": (c) => `${c} 2>&1`,
  "errors thrown away, cut": (c) => `${c} 2>/dev/null | cut -c1-200`,
  "without colours": (c) => `${c} | tr -d '\\r' | cat`,
  "lines between": (c) => `${c} | awk 'NR>1 && NR<20'`,
  "without empty lines": (c) => `${c} | grep -v '^$' | head`,
  "shown and kept as a variable": (c) => `x="$(${c})"; printf '%s\\n' "$x" | tail -n 3`,
  group: (c) => `{ ${c}; }`,
  "strict shell": (c) => `set -euo pipefail; ${c}`,
  case: (c) => `case "$(hostname)" in web*) ${c} ;; *) echo other ;; esac`,
  function: (c) => `check() { ${c}; }; check`,
  "asked until it answers": (c) => `until ${c}; do sleep 1; done`,
  "with a title": (c) => `echo "== now =="; ${c}; echo "== end =="`,
  "its time": (c) => `date; time ${c}; date`,
};

export const harmlessWords: Rewrites = {
  locale: (c) => `LC_ALL=C ${c}`,
  timeout: (c) => `timeout 10 ${c}`,
  nice: (c) => `nice -n 19 ionice -c 3 ${c}`,
  env: (c) => `env LANG=C TZ=UTC ${c}`,
  time: (c) => `time ${c}`,
  "quoted words": (c) => c.split(" ").map(bash).join(" "),
  "another path": (c) => c.replaceAll("/var/log/", "/srv/app/logs/").replaceAll("/etc/nginx", "/opt/nginx/conf"),
  "path of the program": (c) => (/^[a-z]+ /.test(c) && !/^(type|command|test|env|echo) /.test(c) ? `/usr/bin/${c}` : c),
};

export const harmlessPowershell: Rewrites = {
  first: (c) => `${c} | Select-Object -First 5`,
  table: (c) => `${c} | Format-Table -AutoSize | Out-String -Width 200`,
  where: (c) => `${c} | Where-Object { $_ -match 'error' }`,
  count: (c) => `(${c} | Measure-Object).Count`,
  "and then": (c) => `${c}; Get-Date`,
  if: (c) => `if (${c}) { 'yes' } else { 'no' }`,
  kept: (c) => `$out = ${c}; $out`,
  upper: (c) => c.replace(/^[A-Za-z-]+/, (name) => name.toUpperCase()),
};

export const harmlessCmd: Rewrites = {
  found: (c) => `${c} | findstr /i error`,
  "errors thrown away": (c) => `${c} 2>nul`,
  "and then": (c) => `${c} & echo done`,
  upper: (c) => c.replace(/^[a-z]+/, (name) => name.toUpperCase()),
  "cmd /c": (c) => `cmd /c "${c}"`,
};

/** The same question with its words in another order or form. */
export const sameQuestions: readonly (readonly string[])[] = [
  ["ls -la /srv", "ls -l -a /srv", "ls /srv -la", "ls --all -l /srv", "ls -al '/srv'", 'ls -la "/srv/"'],
  ["df -h /var", "df /var -h", "df --human-readable /var", "df -h -- /var"],
  ["tail -n 50 /srv/a.log", "tail -50 /srv/a.log", "tail /srv/a.log -n 50", "tail --lines=50 /srv/a.log"],
  ["grep -rn error /srv", "grep -r -n error /srv", "grep -e error -nr /srv", "grep --recursive error /srv -n"],
  ["journalctl -u nginx -n 50", "journalctl -n50 -u nginx", "journalctl --unit=nginx --lines=50 --no-pager"],
  ["ps -ef --sort=-rss", "ps --sort -rss -ef", "ps -e -f --sort=-rss"],
  ["du -sh /srv", "du -h -s /srv", "du /srv -sh", "du --summarize --human-readable /srv"],
  ["find /srv -name '*.log' -type f", "find /srv -type f -name '*.log'", "find '/srv' -type f -iname *.log"],
  ["ss -tlnp", "ss -t -l -n -p", "ss -pnlt", "ss --tcp --listening --numeric --processes"],
  [
    "kubectl get pods -n web",
    "kubectl -n web get pods",
    "kubectl get -n web pods -o wide",
    "kubectl get po --namespace=web",
  ],
  ["docker logs --tail 100 web", "docker logs web --tail=100", "docker container logs -n 100 web"],
  ["systemctl status nginx", "systemctl --no-pager status nginx.service", "systemctl status -l nginx"],
  ["curl -sI https://a.example", "curl -s -I https://a.example", "curl https://a.example --head --silent"],
  ["git -C /srv log --oneline -3", "git -C '/srv' log -3 --oneline", "git --no-pager -C /srv log --oneline"],
];
