/** Ways to write a simple command (words without quotes) so that it does the same and looks different. */

export type Disguise = (command: string) => string;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const wordsOf = (command: string): string[] => command.split(" ");
const nameOf = (command: string): string => wordsOf(command)[0] ?? "";
const restOf = (command: string): string => wordsOf(command).slice(1).join(" ");
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const codes = (text: string, code: (char: number) => string): string =>
  [...text].map((char) => code(char.charCodeAt(0))).join("");
const hexCodes = (text: string): string => codes(text, (char) => `\\x${char.toString(16).padStart(2, "0")}`);
const octalCodes = (text: string): string => codes(text, (char) => `\\${char.toString(8).padStart(3, "0")}`);
const reversed = (text: string): string => [...text].reverse().join("");
const rotated = (text: string): string =>
  text.replace(/[a-z]/gi, (char) => {
    const base = char < "a" ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
  });
const inWord = (text: string, sign: string): string => `${text[0] ?? ""}${sign}${text.slice(1)}`;
/** Changes how each absolute path below a folder is written. */
const withPaths = (command: string, change: (path: string) => string): string =>
  wordsOf(command)
    .map((word) => (/^\/\w/.test(word) ? change(word) : word))
    .join(" ");

const quotings: readonly Disguise[] = [
  (c) => wordsOf(c).map(quoted).join(" "),
  (c) => `${inWord(nameOf(c), "''")} ${restOf(c)}`,
  (c) => `${inWord(nameOf(c), "\\")} ${restOf(c)}`,
  (c) => `\\${c}`,
  (c) => `"${nameOf(c)}" ${restOf(c)}`,
  (c) => `$'${hexCodes(nameOf(c))}' ${restOf(c)}`,
  (c) =>
    wordsOf(c)
      .map((word) => `$'${octalCodes(word)}'`)
      .join(" "),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
  (c) => wordsOf(c).join("${IFS}"),
  (c) => wordsOf(c).join("$IFS$9"),
  (c) => `{${wordsOf(c).join(",")}}`,
  (c) => `${inWord(nameOf(c), "\\\n")} ${restOf(c)}`,
  (c) => wordsOf(c).join(" \\\n  "),
  (c) => `${inWord(nameOf(c), "$@")} ${restOf(c)}`,
  (c) => `${inWord(nameOf(c), '""')} ${restOf(c)}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell's.
  (c) => `${inWord(nameOf(c), "${nothing_here}")} ${restOf(c)}`,
  (c) => `${inWord(nameOf(c), "`true`")} ${restOf(c)}`,
];

const variables: readonly Disguise[] = [
  (c) => `a=${nameOf(c)}; $a ${restOf(c)}`,
  (c) => `a=${nameOf(c)[0]} b=${nameOf(c).slice(1)}; $a$b ${restOf(c)}`,
  (c) => `x=${quoted(restOf(c))}; ${nameOf(c)} $x`,
  (c) => `x=${quoted(c)}; $x`,
  (c) => `x=${quoted(c)}; eval "$x"`,
  (c) => `export X=${quoted(c)}; bash -c "$X"`,
  (c) => `set -- ${c}; "$@"`,
  (c) => `set -- ${c}; $*`,
  (c) => `arr=(${c}); "\${arr[@]}"`,
  (c) => `read -r x <<< ${quoted(c)}; $x`,
  (c) => `printf -v x %s ${quoted(c)}; eval "$x"`,
  (c) => `x=${inWord(nameOf(c), "XX")}; \${x/XX/} ${restOf(c)}`,
  (c) => `x=qq${nameOf(c)}zz; \${x:2:${nameOf(c).length}} ${restOf(c)}`,
  (c) => `x=zz${nameOf(c)}; \${x#zz} ${restOf(c)}`,
  (c) => `x=${nameOf(c).toUpperCase()}; \${x,,} ${restOf(c)}`,
  (c) => `\${unset_x:-${nameOf(c)}} ${restOf(c)}`,
  (c) => `IFS=,; x=${wordsOf(c).join(",")}; $x`,
  (c) => `$(echo ${nameOf(c)}) ${restOf(c)}`,
  (c) => `$(printf %s ${nameOf(c)[0]} ${nameOf(c).slice(1)}) ${restOf(c)}`,
  (c) => `for w in ${quoted(c)}; do $w; done`,
  (c) => `declare x=${nameOf(c)}; "$x" ${restOf(c)}`,
  (c) => `x=y; y=${nameOf(c)}; \${!x} ${restOf(c)}`,
  (c) => `a=${nameOf(c)[0]}; a+=${nameOf(c).slice(1)}; $a ${restOf(c)}`,
  (c) => `f=${quoted(nameOf(c))}; "\${f}" ${restOf(c)}`,
];

const shells: readonly Disguise[] = [
  (c) => `bash -c ${quoted(c)}`,
  (c) => `sh -c ${quoted(`bash -c ${quoted(c)}`)}`,
  (c) => `eval ${c}`,
  (c) => `eval eval ${quoted(c)}`,
  (c) => `echo ${quoted(c)} | bash`,
  (c) => `printf '%s\\n' ${quoted(c)} | sh`,
  (c) => `printf ${quoted(hexCodes(c))} | sh`,
  (c) => `bash <<< ${quoted(c)}`,
  (c) => `bash <<'X'\n${c}\nX`,
  (c) => `cat <<X | sh -s\n${c}\nX`,
  (c) => `sh /dev/stdin <<< ${quoted(c)}`,
  (c) => `. /dev/stdin <<< ${quoted(c)}`,
  (c) => `source <(echo ${quoted(c)})`,
  (c) => `bash <(printf %s ${quoted(c)})`,
  (c) => `$SHELL -c ${quoted(c)}`,
  (c) => `bash -xec ${quoted(c)}`,
  (c) => `bash --norc -lc ${quoted(c)}`,
  (c) => `echo ${quoted(c)} > /tmp/x.sh; bash /tmp/x.sh`,
  (c) => `echo ${quoted(c)} > /tmp/x; chmod +x /tmp/x; /tmp/x`,
  (c) => `cat > /tmp/x <<'X'\n${c}\nX\nsh /tmp/x`,
  (c) => `tee /tmp/x <<< ${quoted(c)}; . /tmp/x`,
  (c) => `echo ${quoted(c)} | while read -r l; do eval "$l"; done`,
  (c) => `while IFS= read -r l; do bash -c "$l"; done <<< ${quoted(c)}`,
  (c) => `echo ${quoted(c)} | sudo -u root bash -s`,
  (c) => `ssh web-1 ${quoted(c)}`,
  (c) => `bash -c '"$@"' _ ${c}`,
  (c) => `bash -c '$0 $*' ${c}`,
];

const decodings: readonly Disguise[] = [
  (c) => `echo ${base64(c)} | base64 -d | sh`,
  (c) => `base64 --decode <<< ${base64(c)} | bash`,
  (c) => `eval "$(echo ${base64(c)} | base64 -d)"`,
  (c) => `bash -c "$(base64 -d <<< ${base64(c)})"`,
  (c) => `eval $(printf ${quoted(octalCodes(c))})`,
  (c) => `echo ${hex(c)} | xxd -r -p | sh`,
  (c) => `echo ${quoted(reversed(c))} | rev | bash`,
  (c) => `echo ${quoted(rotated(c))} | tr 'A-Za-z' 'N-ZA-Mn-za-m' | sh`,
  (c) => `echo ${quoted(rotated(c))} | tr a-zA-Z n-za-mN-ZA-M | sh`,
  (c) => `echo ${base64(base64(c))} | base64 -d | base64 -d | sh`,
  (c) => `echo ${base64(c)} | openssl base64 -d | sh`,
  (c) => `echo -e ${quoted(hexCodes(c))} | sh`,
  (c) => `sh -c "$(echo ${quoted(reversed(c))} | rev)"`,
  (c) => `echo ${base64(c)} | tr -d '\\n' | base64 -di | sh`,
  (c) => `echo ${quoted(c.replaceAll(" ", "%"))} | tr % ' ' | sh`,
  (c) => `echo ${quoted(c.replaceAll(" ", "@"))} | sed 's/@/ /g' | sh`,
  (c) => `bash <(base64 -d <<< ${base64(c)})`,
  (c) => `x=$(echo ${base64(c)} | base64 -d); $x`,
];

const wrappings: readonly Disguise[] = [
  (c) => `sudo -n ${c}`,
  (c) => `sudo -u root -- ${c}`,
  (c) => `sudo env A=1 ${c}`,
  (c) => `nohup nice -n 10 timeout -k 5 10 ${c} &`,
  (c) => `env -i PATH=/bin ${c}`,
  (c) => `env -S ${quoted(c)}`,
  (c) => `FOO=bar BAZ=1 ${c}`,
  (c) => `busybox ${c}`,
  (c) => `command ${c}`,
  (c) => `exec -a x ${c}`,
  (c) => `/usr/bin/${c}`,
  (c) => `/usr/./bin/../bin/${c}`,
  (c) => `stdbuf -oL setsid ${c}`,
  (c) => `flock /tmp/l -c ${quoted(c)}`,
  (c) => `script -qc ${quoted(c)} /dev/null`,
  (c) => `watch -n 1 ${quoted(c)}`,
  (c) => `su - root -c ${quoted(c)}`,
  (c) => `su root -s /bin/sh -c ${quoted(c)}`,
  (c) => `systemd-run --pipe ${c}`,
  (c) => `unshare -m ${c}`,
  (c) => `nsenter -t 1 -m -- ${c}`,
  (c) => `chroot / ${c}`,
  (c) => `ionice -c3 ${c}`,
  (c) => `time -p ${c}`,
  (c) => `! ${c}`,
  (c) => `strace -f -o /dev/null ${c}`,
  (c) => `echo ${quoted(restOf(c))} | xargs ${nameOf(c)}`,
  (c) => `echo ${quoted(c)} | xargs -I{} sh -c '{}'`,
  (c) => `xargs -a /dev/null ${c}`,
  (c) => `find . -maxdepth 0 -exec ${c} \\;`,
  (c) => `find /tmp -name x -exec sh -c ${quoted(c)} \\;`,
  (c) => `parallel ::: ${quoted(c)}`,
  (c) => `docker exec web sh -c ${quoted(c)}`,
  (c) => `runuser -u root -- ${c}`,
  (c) => `setarch x86_64 ${c}`,
  (c) => `taskset -c 0 ${c}`,
];

const constructs: readonly Disguise[] = [
  (c) => `f() { ${c}; }; f`,
  (c) => `function f { "$@"; }; f ${c}`,
  (c) => `alias x=${quoted(c)}\nx`,
  (c) => `# nothing to see\n${c} # really`,
  (c) => `( ( ${c} ) )`,
  (c) => `{ ${c}; } 2>/dev/null`,
  (c) => `case x in x) ${c};; esac`,
  (c) => `until ${c}; do :; done`,
  (c) => `true && { false || ${c}; }`,
  (c) => `if ${c}; then :; fi`,
  (c) => `trap ${quoted(c)} EXIT`,
  (c) => `echo "$(${c})"`,
  (c) => `echo \`${c}\` > /dev/null`,
  (c) => `cat <<X\n$(${c})\nX`,
  (c) => `coproc ${c}`,
  (c) => `[[ -n $(${c}) ]]`,
  (c) => `echo \${x:-$(${c})}`,
  (c) => `a[$(${c})]=1`,
  (c) => `diff <(${c}) /dev/null`,
  (c) => `ls | tee >(${c})`,
  (c) => `(( x = $(${c}) ))`,
  (c) => `select x in a; do ${c}; done`,
  (c) => `(crontab -l; echo "* * * * * ${c}") | crontab -`,
  (c) => `echo ${quoted(c)} | at now`,
  (c) => `PROMPT_COMMAND=${quoted(c)} bash`,
  (c) => `ls;${c};ls`,
  (c) => `ls&&${c}||:`,
  (c) => `ls 2>&1|${c}`,
];

const programs: readonly Disguise[] = [
  (c) => `python3 -c "import os; os.system('${c}')"`,
  (c) => `python3 -c "import subprocess; subprocess.run('${c}', shell=True)"`,
  (c) =>
    `python3 -c "import subprocess as s; s.call([${wordsOf(c)
      .map((w) => `'${w}'`)
      .join(", ")}])"`,
  (c) => `python3 -c "import base64,os; os.system(base64.b64decode('${base64(c)}').decode())"`,
  (c) => `python3 <<'X'\nimport os\nos.system("${c}")\nX`,
  (c) => `perl -e 'system("${c}")'`,
  (c) => `perl -e 'exec "${c}"'`,
  (c) => `perl -e '\`${c}\`'`,
  (c) => `ruby -e 'system("${c}")'`,
  (c) => `ruby -e '%x(${c})'`,
  (c) => `node -e 'require("child_process").execSync("${c}")'`,
  (c) => `php -r 'system("${c}");'`,
  (c) => `lua -e 'os.execute("${c}")'`,
  (c) => `awk 'BEGIN { system("${c}") }'`,
  (c) => `awk 'BEGIN { "${c}" | getline }'`,
  (c) => `sed -n '1e ${c}' /etc/hostname`,
  (c) => `tar cf /dev/null /etc/hostname --checkpoint=1 --checkpoint-action=exec=${quoted(c)}`,
  (c) => `git -c alias.x=${quoted(`!${c}`)} x`,
  (c) => `git -c core.pager=${quoted(c)} -p log`,
  (c) => `vim -c ${quoted(`:!${c}`)} -c :q`,
  (c) => `make --eval=${quoted(`x:\n\t${c}`)} x`,
  (c) => `expect -c 'spawn ${c}; interact'`,
  (c) => `psql -c '\\! ${c}'`,
  (c) => `sqlite3 /dev/null '.shell ${c}'`,
  (c) => `gdb -nx -ex '!${c}' -ex quit`,
  (c) => `ssh -o ProxyCommand=${quoted(c)} x`,
  (c) => `split --filter=${quoted(c)} /etc/hostname`,
  (c) => `sort --compress-program=${quoted(c)} -S 1 /etc/services`,
  (c) => `rsync -e ${quoted(`sh -c ${quoted(c)}`)} 127.0.0.1:/dev/null .`,
  (c) => `zip x.zip /etc/hosts -T -TT ${quoted(`${c} #`)}`,
  (c) => `man -P ${quoted(c)} ls`,
  (c) => `PAGER=${quoted(c)} man ls`,
];

const pathWritings: readonly Disguise[] = [
  (c) => withPaths(c, (path) => `/.${path}`),
  (c) => withPaths(c, (path) => `/${path}`),
  (c) => withPaths(c, (path) => `/tmp/..${path}`),
  (c) => withPaths(c, (path) => `${path.slice(0, 2)}?${path.slice(3)}`),
  (c) => withPaths(c, (path) => `${path.slice(0, 2)}[${path[2] ?? ""}]${path.slice(3)}`),
  (c) => withPaths(c, (path) => `"${path.slice(0, 2)}"${path.slice(2)}`),
  (c) => withPaths(c, (path) => `/{${path.slice(1)},tmp/zz}`),
  (c) => withPaths(c, (path) => `$PWD/../../../..${path}`),
  (c) => withPaths(c, (path) => `\${HOME:0:1}${path.slice(1)}`),
  (c) => `cd /; ${withPaths(c, (path) => path.slice(1))}`,
  (c) => withPaths(c, (path) => `/proc/self/root${path}`),
  (c) => `p=/; ${withPaths(c, (path) => `\${p}${path.slice(1)}`)}`,
];

export const disguises: readonly Disguise[] = [
  ...quotings,
  ...variables,
  ...shells,
  ...decodings,
  ...wrappings,
  ...constructs,
  ...programs,
  ...pathWritings,
];
