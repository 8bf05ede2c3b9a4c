import { describe, expect, it } from "vitest";
import { exitMeaning } from "../../src/risk/exit-codes.ts";

describe("AR-15 what an exit code means, where a program answers by it", () => {
  it.each([
    ["grep -c OOM /var/log/syslog", 1, "no match"],
    ["journalctl -u app --since -1h | grep -i oom", 1, "no match"],
    ["sudo -n grep oom /var/log/syslog", 1, "no match"],
    ["LC_ALL=C timeout 5 /usr/bin/grep oom /var/log/syslog 2>/dev/null", 1, "no match"],
    ["sudo -u app -- nice -n 5 grep oom /var/log/syslog", 1, "no match"],
    ["sudo -nu app LC_ALL=C grep oom /var/log/syslog", 1, "no match"],
    ["timeout -k 5 -s KILL 10s nohup pgrep checkout", 1, "no such process"],
    ["doas -u app stdbuf -oL grep oom /var/log/syslog", 1, "no match"],
    ["df -h; grep oom /var/log/syslog", 1, "no match"],
    ["test -f /a || grep oom /var/log/syslog", 1, "no match"],
    ["systemctl status app", 3, "not active"],
    ["systemctl --no-pager is-active app", 3, "not active"],
    ["systemctl status nope", 4, "no such unit"],
    ["diff /etc/a /etc/b", 1, "they differ"],
    ["pgrep -f checkout", 1, "no such process"],
    ["test -e /run/app.pid", 1, "false"],
    ["[ -e /run/app.pid ]", 1, "false"],
    ["[[ -e /run/app.pid ]]", 1, "false"],
    ["curl -sS -m 5 http://localhost:8080/health", 7, "could not connect"],
    ["curl -sSf -m 5 http://localhost:8080/health", 22, "an HTTP error"],
    ["command -v jq", 1, "not found"],
  ])("%s: %i is %s", (command, code, meaning) => {
    expect(exitMeaning(command, code)).toBe(meaning);
  });

  it.each([
    ["grep oom /nope", 2],
    ["cat /nope", 1],
    ["cd /nope && grep oom syslog", 1],
    ["grep oom syslog | head -5", 1],
    ["! grep oom syslog", 1],
    ["set -o pipefail; zcat a.gz | grep oom", 1],
    ["systemctl restart app", 3],
    ["git status", 1],
    ["$PROGRAM oom", 1],
    ["sudo --nobody-knows grep oom syslog", 1],
    ["su app -c 'grep oom syslog'", 1],
    ["flock -n /run/lock/app grep oom syslog", 1],
    ["constructor", 1],
    ["grep 'unclosed", 1],
    ["if true; then grep a b; fi", 1],
    ["", 1],
  ])("%s: of %i nothing is said", (command, code) => {
    expect(exitMeaning(command, code)).toBeUndefined();
  });

  it.each([
    "sudo: a password is required",
    "sudo: unknown user app",
    "app is not in the sudoers file.",
    "Sorry, user app is not allowed to execute '/usr/bin/grep oom syslog' as root on web-1.",
    "doas: Operation not permitted",
  ])("where the command did not run at all, nothing is said: %s", (trouble) => {
    expect(exitMeaning("sudo grep oom syslog", 1, trouble)).toBeUndefined();
  });

  it.each([
    ["diff -r a b", "diff: invalid option -- 'r'"],
    ["grep --oom syslog", "grep: unrecognized option '--oom'"],
    ["diff -U a b", "diff: option requires an argument -- 'U'"],
  ])("PRODUCT of a program that did not know its own options nothing is said: %s", (command, trouble) => {
    expect(exitMeaning(command, 1)).toBeDefined();
    expect(exitMeaning(command, 1, trouble)).toBeUndefined();
  });

  it("a name that does not resolve keeps sudo from nothing", () => {
    const trouble = "sudo: unable to resolve host web-1: Name or service not known";
    expect(exitMeaning("sudo grep oom syslog", 1, trouble)).toBe("no match");
  });
});
