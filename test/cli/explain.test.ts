import { describe, expect, it } from "vitest";
import { explainAnswer } from "../../src/cli/answers.ts";

const answer = explainAnswer(undefined);

describe("what explain answers", () => {
  it("CONFIG of a server that is not there it says so, and nothing of the risk", () => {
    const known = explainAnswer({ servers: new Map() } as never);
    expect(() => known({ command: "ls", server: "db-2" })).toThrow('there is no server "db-2"');
  });

  it("CONFIG says the rule that decided, the reasons and the versions", () => {
    expect(answer({ command: "df -h; rm -r /srv/cache" })).toMatchObject({
      risk: "high",
      reasons: ["deletes /srv/cache", "df: only reads"],
      rule: "path.delete",
      unknown: false,
      findings: [{ ruleId: "path.delete", risk: "high", span: [13, 23] }, { ruleId: "read.metadata" }],
      rulesVersion: expect.stringMatching(/^[0-9a-f]{16}$/),
      sha256: "6771ef022c7848677efdad0513200d60a02603282a605171c8d239d203a6d039",
    });
  });

  it("POLICY-6 shows the tree that was seen: wrappers taken off, texts opened, what is substituted", () => {
    const command = `sudo bash -c 'cat /etc/hosts > /tmp/x && rm -rf "/e"tc' | head $(hostname)`;
    expect(answer({ command })).toMatchObject({
      commands: [
        {
          words: ["sudo", "bash", "-c", 'cat /etc/hosts > /tmp/x && rm -rf "/e"tc'],
          within: [
            {
              words: ["bash", "-c", 'cat /etc/hosts > /tmp/x && rm -rf "/e"tc'],
              within: [
                { words: ["cat", "/etc/hosts"], seen: "in bash -c", redirections: ["> /tmp/x"] },
                { words: ["rm", "-rf", "/etc"], seen: "in bash -c" },
              ],
            },
          ],
        },
        { words: ["head", "…"], within: [{ words: ["hostname"], seen: "in a substitution" }] },
      ],
      files: { read: ["/etc/hosts", "…"], written: ["/tmp/x"], deleted: ["/etc"] },
      network: [],
    });
  });

  it("POLICY-6 says where in a text inside the command the reason stands", () => {
    const text = "rm -rf /";
    const command = `bash -c "r"'m -rf /'`;
    expect(answer({ command })).toMatchObject({
      risk: "block",
      findings: [{ inner: { text, span: [7, 8] } }, {}],
    });
  });

  it("POLICY-6 lists a command once, however many values its loop has, and what comes over the network", () => {
    expect(answer({ command: "for i in 1 2 3; do curl -s https://a.example; done" })).toMatchObject({
      commands: [{ words: ["curl", "-s", "https://a.example"] }],
      network: ["https://a.example"],
    });
  });

  it("SR-33 a text that cannot be followed to its end has a tree that ends, too", () => {
    const { commands } = answer({ command: `${"ls;".repeat(6000)}rm -rf /` }) as { commands: readonly unknown[] };
    expect(commands).toHaveLength(1);
  });
});
