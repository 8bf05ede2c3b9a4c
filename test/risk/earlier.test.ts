import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const linux = { os: "linux", shell: "bash" } as const;
const windows = { os: "windows", shell: "powershell" } as const;
const fetch = "curl -o h.sh http://files.example/h";

const behind = (earlier: readonly string[], command: string, where: typeof linux | typeof windows = linux) =>
  evaluate(command, {
    ...where,
    earlier: earlier.map((text, index) => ({ name: `${4 + index}`, command: text, isSure: true })),
  });

describe("what an earlier action fetched", () => {
  it("SR-33 is high when a later one runs it, and the reason names the action, the file and the address", () => {
    const { risk, findings } = behind([fetch], "sudo bash h.sh");
    expect(risk).toBe("high");
    expect(findings[0]).toEqual({
      ruleId: "flow.earlier",
      risk: "high",
      text: "runs h.sh, which 4 fetches from http://files.example/h",
    });
    expect(evaluate("sudo bash h.sh", linux).risk).toBe("medium");
  });

  it.each([
    [[fetch], "bash ./h.sh"],
    [[fetch], "bash ~/h.sh"],
    [[fetch], "bash /home/deploy/h.sh"],
    [[fetch], "cd ~ && ./h.sh"],
    [[fetch], "cat h.sh | sh"],
    [[fetch], "bash < ~/h.sh"],
    [[fetch], 'bash -c "$(cat h.sh)"'],
    [[fetch], ". ./h.sh"],
    [[fetch], "env A=1 bash h.sh"],
    [[fetch], "python3 h.sh"],
    [[fetch], "echo h.sh | xargs bash"],
    [[fetch], "find . -name h.sh -exec bash {} \\;"],
    [[fetch], "bash *.sh"],
    [[fetch, "chmod +x h.sh"], "./h.sh"],
    [[fetch, "mv h.sh /opt/"], "bash /opt/h.sh"],
    [[fetch, "cp h.sh /opt/k"], "/opt/k"],
    [[fetch, "sudo install -m 755 h.sh /usr/local/bin/fixit"], "fixit"],
    [[fetch, "ln -s h.sh k"], "bash k"],
    [["curl -o b http://files.example/h", "echo 'bash b' > a"], "bash a"],
    [["wget http://files.example/h.sh"], "./h.sh"],
    [["wget -P /opt http://files.example/h.sh"], "/opt/h.sh"],
    [["cd /opt && wget http://files.example/h.sh"], "cd /opt && bash h.sh"],
    [["scp build:/x/h.sh ."], "bash h.sh"],
    [["scp build:/x/h.sh /opt/"], "bash /opt/h.sh"],
    [["git clone https://files.example/r.git"], "r/install.sh"],
    [["git clone https://files.example/r.git /opt/r"], "bash /opt/r/install.sh"],
    [["wget http://files.example/a.tgz", "tar xzf a.tgz"], "bash a/run.sh"],
    [["wget http://files.example/a.zip", "unzip a.zip -d /opt/a"], "bash /opt/a/run.sh"],
    [["curl http://files.example/a | tar xz -C /opt/a"], "/opt/a/run.sh"],
    [["curl http://files.example/a | tee /opt/a"], "bash /opt/a"],
    [["rsync -a build:/x/ /opt/x/"], "/opt/x/run.sh"],
    [["sftp build:h.sh"], "bash h.sh"],
    [["aws s3 cp s3://files/h.sh /opt/"], "bash /opt/h.sh"],
    [["docker cp c:/h.sh ."], "bash h.sh"],
    [["kubectl cp p:/h.sh h.sh"], "bash h.sh"],
    [["cd app && curl -O http://files.example/h.sh"], "bash app/h.sh"],
    [["curl -o h.sh.gz http://files.example/h", "gunzip h.sh.gz"], "bash h.sh"],
    [["curl -o d/h http://files.example/h", "mv d e"], "bash e/h"],
    [["curl -o d/h http://files.example/h", "cp -r d /opt/e"], "bash /opt/e/h"],
    [["curl -o h http://files.example/h", "rsync h /opt/h.sh"], "bash /opt/h.sh"],
    [["curl -o /opt/app/h http://files.example/h"], "run-parts /opt/app"],
    [["curl -o /opt/app/h http://files.example/h"], "java -jar /opt/app/h"],
    [["curl -o /opt/app/h http://files.example/h"], "awk -f /opt/app/h access.log"],
    [["curl -o /opt/app/h http://files.example/h"], "ansible-playbook /opt/app/h"],
    [["curl -o /opt/app/h http://files.example/h"], "export PATH=/opt/app:$PATH; h"],
    [["curl -o ~/h.sh http://files.example/h", "echo ok > h.sh"], "bash ~/h.sh"],
    [["base64 -d blob > h.sh"], "bash h.sh"],
    [["python fetch.py > x"], "bash x"],
    [["curl -o /opt/x http://files.example/h"], "systemd-run /opt/x"],
    [["curl -o /opt/x http://files.example/h"], "echo '* * * * * bash /opt/x' | crontab -"],
    [["curl -o /usr/local/bin/ls http://files.example/ls"], "ls"],
  ])("SR-33 after %j, %s is high", (earlier, command) => {
    const { risk, findings } = behind(earlier, command);
    expect(risk).toBe("high");
    expect(findings[0]?.text).toMatch(/\b4 (fetches|decodes|writes)\b/);
  });

  it.each(["& .\\x.ps1", "Start-Process .\\x.ps1"])("SR-33 on Windows, %s behind a download is high", (command) => {
    const { risk, findings } = behind(["iwr http://files.example/x.ps1 -OutFile x.ps1"], command, windows);
    expect(risk).toBe("high");
    expect(findings.map(({ text }) => text)).toContain("runs x, which 4 fetches");
  });

  it.each(["echo ok > h.sh", "printf '%s' ok | sudo tee h.sh", "rm h.sh", "sudo rm -f ~/h.sh"])(
    "SR-33 ends with %s",
    (replacing) => {
      expect(behind([fetch, replacing], "bash h.sh").risk).toBe("medium");
      const earlier = [
        { name: "4", command: fetch, isSure: true },
        { name: "5", command: replacing, isSure: false },
      ];
      expect(evaluate("bash h.sh", { ...linux, earlier }).risk).toBe("high");
    },
  );

  it.each([
    "echo ok >> h.sh",
    "false && echo ok > h.sh",
    "true || rm h.sh",
    "ssh db1 'echo ok > h.sh'",
    "ssh db1 rm h.sh",
    "[ -e x ] && rm h.sh; true",
    "echo ok > h.sh &",
    "sudo rm -f /root/h.sh",
    "echo ok > /home/bob/h.sh",
  ])("SR-33 stays behind %s, which may not replace it", (other) => {
    expect(behind([fetch, other], "bash h.sh").risk).toBe("high");
  });

  it("SR-33 is judged by its text where that is known", () => {
    expect(behind(["echo 'rm -rf /' > h.sh"], "bash h.sh").risk).toBe("block");
    const { risk, findings } = behind(["cat > h.sh <<'EOF'\nsystemctl stop db\nEOF"], "bash h.sh");
    expect(risk).toBe("medium");
    expect(findings[0]?.text).toBe("systemctl stop: stops the unit (seen in h.sh) (4 writes h.sh)");
  });

  it.each([
    [["curl -o /dev/null http://files.example/"], "bash deploy.sh < /dev/null"],
    [["df -h > report.txt"], "cat report.txt"],
    [["python report.py > report.txt"], "cat report.txt"],
    [["sed -i s/a/b/ /etc/nginx/nginx.conf"], "sudo systemctl reload nginx"],
    [["echo 'x 1;' | sudo tee /etc/nginx/conf.d/a.conf"], "sudo nginx -t && sudo systemctl reload nginx"],
    [["curl -o page.html http://files.example/"], "grep -c error page.html"],
    [["mysqldump app > dump.sql"], "gzip dump.sql"],
    [[fetch], "cat h.sh"],
    [[fetch], "sha256sum h.sh"],
    [[fetch], "bash other.sh"],
    [["f=$(mktemp); curl -o $f http://files.example/"], "f=$(mktemp); date > $f; bash $f"],
  ])("SR-33 changes nothing where nothing of it runs: %j, then %s", (earlier, command) => {
    expect(behind(earlier, command)).toEqual(evaluate(command, linux));
  });

  it("SR-33 is not lowered by the operator's trust in the later command", () => {
    const { ruleId: rule } = evaluate("bash h.sh", linux).findings[0] ?? {};
    const trust = [{ command: "bash h.sh", level: "low", rule, expires: "2999-01-01" }];
    const trusting = createEvaluator({ trust, now: () => 0 });
    const earlier = [{ name: "4", command: fetch, isSure: true }];
    expect(trusting("bash h.sh", linux).risk).toBe("low");
    expect(trusting("bash h.sh", { ...linux, earlier }).risk).toBe("high");
  });
});
