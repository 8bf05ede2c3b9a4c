import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("AR-01 what runs a command elsewhere or for git is judged as that command", () => {
  const runners: readonly ((command: string) => string)[] = [
    (command) => `aws ssm send-command --document-name AWS-RunShellScript --parameters 'commands=["${command}"]'`,
    (command) => `aws ssm send-command --document-name AWS-RunShellScript --parameters commands='${command}'`,
    (command) => `salt '*' cmd.run '${command}'`,
    (command) => `puppet apply -e "exec { '${command}': path => '/bin' }"`,
    (command) => `puppet apply -e "exec { 'x': command => '${command}' }"`,
    (command) => `nomad alloc exec a ${command}`,
    (command) => `etcdctl watch k -- ${command}`,
    (command) => `git rebase -x '${command}' HEAD~3`,
    (command) => `git rebase -ix'${command}' HEAD~3`,
    (command) => `git bisect run ${command}`,
    (command) => `git submodule foreach '${command}'`,
    (command) => `git submodule --quiet foreach ${command}`,
    (command) => `git -c alias.x='!${command}' x`,
    (command) => `git difftool -x '${command}'`,
    (command) => `git difftool --extcmd='${command}'`,
    (command) => `git filter-branch --tree-filter '${command}' HEAD`,
    (command) => `git filter-branch --msg-filter '${command}' HEAD`,
    (command) => `git grep -O'${command}' x`,
    (command) => `git clone -u '${command}' x y`,
    (command) => `psql -c 'select 1 \\g |${command}'`,
    (command) => `psql -c '\\set x \`${command}\`'`,
    (command) => `sqlite3 x.db '.once |${command}'`,
  ];
  it.each(runners.map((runner) => [runner("CMD"), runner] as const))("as in %j", (_, runner) => {
    expect(riskOf(runner("rm -rf /"))).toBe("block");
    expect(["high", "block"]).toContain(riskOf(runner("reboot")));
  });

  it("in a container, which only it takes down", () => {
    expect(riskOf("ctr run docker.io/library/x:1 c rm -rf /")).toBe("block");
    expect(riskOf("ctr run docker.io/library/x:1 c reboot")).not.toBe("low");
  });

  it.each(["Remove-Item -Recurse -Force C:\\", "rd /s /q C:\\", "format c: /y", "cmd /c rd /s /q C:\\"])(
    "over ssh to Windows: %j",
    (command) => expect(riskOf(`ssh win '${command}'`)).toBe("block"),
  );

  it.each([
    "fio --filename=/dev/sdb --rw=write --name=x",
    "zpool create -f tank /dev/sdb",
    "zpool add tank /dev/sdb",
    "storcli64 /c0/v0 del",
    "perccli64 /c0/v0 del",
    "pgbackrest --stanza=main stanza-delete",
    "patronictl reinit c m",
    "clickhouse-client -q 'ALTER TABLE t DELETE WHERE 1'",
    "clickhouse-client -q 'alter table t on cluster c delete where 1'",
    "kubectl apply --prune -f x.yaml -l app=x",
  ])("%j destroys by a word: high", (command) => expect(riskOf(command)).toBe("high"));

  it.each(["git -c gpg.program=x log --show-signature", "git -c include.path=/tmp/x log"])("%j is medium", (command) =>
    expect(riskOf(command)).toBe("medium"),
  );
  it.each(["git -c color.ui=never log", "git -c core.pager=cat log", "git -c safe.directory='*' status"])(
    "%j stays low",
    (command) => expect(riskOf(command)).toBe("low"),
  );
});
