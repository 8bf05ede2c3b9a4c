// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what the shell expands
import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskOf = (command: string) => evaluate(command, { os: "linux", shell: "bash" }).risk;

describe("PA-7 a path that a lister gives may be a secret, as far as the lister may give one", () => {
  it.each([
    ["grep -rl TODO /srv/app | xargs head", "medium"],
    ["rg -l foo /etc | xargs cat", "medium"],
    ["fd . /home | xargs cat", "medium"],
    ["fd passwd /etc -x cat", "medium"],
    ["locate passwd | xargs cat", "medium"],
    ["git ls-files | xargs cat", "medium"],
    ["dpkg -L nginx | xargs cat", "medium"],
    ["cat $(ls)", "medium"],
    ["cat $(cat list)", "medium"],
    ['cat "$KUBECONFIG"', "medium"],
    ["cat < $(cat list)", "medium"],
    ["cat < $(ls /etc/shadow)", "block"],
    ["cat /etc/$name", "medium"],
    ["xargs -a list cat", "medium"],
    ['while read f; do cat "$f"; done < list', "medium"],
    ["echo /etc/s* | xargs cat", "block"],
    ["find / -name '*.pem' -exec cat {} +", "medium"],
    ["find . -type f -exec cat {} +", "medium"],
    ["find /etc -mmin -60 -exec grep x {} +", "medium"],
    ["find . -type f | xargs wc -l", "low"],
    ["git ls-files | xargs wc -l", "low"],
    ["fd -x wc -l", "low"],
    ["find /srv -name '*.log' -exec tail -n 5 {} \\;", "low"],
    ["find /var/log -mmin -5 | xargs tail -n 50", "low"],
    ["find /etc/nginx -name '*.conf' -exec grep -Hn listen {} +", "low"],
    ["ls -t /var/log/app/*.log | head -1 | xargs tail -n 100", "low"],
    ["cat /var/log/$name", "low"],
    ["tail /srv/app/$service/app.log", "low"],
    ["for p in $(pgrep nginx); do cat /proc/$p/status; done", "low"],
  ] as const)("%j is %s", (command, risk) => expect(riskOf(command)).toBe(risk));
});
