import { describe, expect, it } from "vitest";
import { engineer } from "./engineer.ts";
import { fullDisk } from "./full-disk.ts";

const { skill } = fullDisk;

/** A request as the bot sends it: what the tools take, then what has been said since the system prompt. */
function asked(tools: Readonly<Record<string, readonly string[]>>, ...told: readonly string[]) {
  return {
    model: "engineer",
    messages: [
      { role: "system", content: "At most 3 proposals in a reply." },
      ...told.map((content) => ({ role: "user", content })),
    ],
    tools: Object.entries(tools).map(([name, keys]) => ({
      function: { name, parameters: Object.fromEntries(keys.map((key) => [key, {}])) },
    })),
  };
}

/** The commands of what it proposes, each with the check that it carries. */
function proposed(given: ReturnType<typeof asked>): readonly (readonly [string, string | undefined])[] {
  const call = engineer(fullDisk)(given).toolCalls?.find(({ name }) => name === "propose_actions");
  const { actions } = (call?.arguments ?? { actions: [] }) as {
    readonly actions: readonly { readonly check?: string; readonly params: { readonly command: string } }[];
  };
  return actions.map(({ check, params }) => [params.command, check]);
}

const output = (number: number, command: string, text: string): string =>
  `<output-of-${number} nonce="n">\n$ ${command}\n${text}\n</output-of-${number} nonce="n">`;

const looks = [
  output(1, "systemctl status checkout-api", "Active: failed"),
  output(2, "journalctl -u checkout-api -p err -n 20", "No space left on device"),
  output(3, "df -h /var", "40G 0 100% /var"),
  output(4, "lsof -nP +L1", "debug.log.1 (deleted)"),
  output(5, "grep -n level /etc/checkout/logging.yml", "3:level: debug"),
];

describe("DC-5 the scripted engineer goes by what it is told", () => {
  it("asks for the runbook where it may, and only where it does not stand in a message yet", () => {
    const tools = { use_skill: [], propose_actions: [] };
    const names = (...told: string[]) => engineer(fullDisk)(asked(tools, ...told)).toolCalls?.map(({ name }) => name);
    expect(names("opened")).toEqual(["use_skill"]);
    expect(names("opened", skill.text)).toEqual(["propose_actions"]);
  });

  it("puts a change's check into the change where that is taken, and behind it where it is not", () => {
    const [quieter, restart, health] = [
      "sed -i 's/level: debug/level: info/' /etc/checkout/logging.yml",
      "systemctl restart checkout-worker checkout-api",
      "curl -fsS localhost:8080/health",
    ];
    expect(proposed(asked({ propose_actions: [] }, ...looks))).toEqual([
      [quieter, undefined],
      [restart, undefined],
      [health, undefined],
    ]);
    expect(proposed(asked({ propose_actions: ["check"] }, ...looks)).slice(0, 2)).toEqual([
      [quieter, undefined],
      [restart, health],
    ]);
    const several = { propose_actions: ["check"] };
    const listed = JSON.parse(
      JSON.stringify(asked(several, ...looks)).replace('"check":{}', '"check":{"type":"array"}'),
    );
    expect(proposed(listed)[1]).toEqual([
      restart,
      [health, "journalctl -u checkout-api --since '2 minutes ago' | grep -i 'no space left'"],
    ]);
  });

  it("asks in one set what it wants to read of a server, where there are sets", () => {
    const [first] = engineer(fullDisk)(asked({ propose_actions: ["commands"] }, skill.text)).toolCalls ?? [];
    const commands = fullDisk.steps.slice(0, 5).map((step) => ("command" in step ? step.command : ""));
    expect(first?.arguments).toMatchObject({ actions: [{ params: { server: "web-1", commands } }] });
  });

  it("adds to what the runbook's own card asks for, and does not repeat it", () => {
    const told =
      '1–3 of the runbook "systemctl status checkout-api", "journalctl -u checkout-api -p err -n 20", "df -h /var", open';
    expect(proposed(asked({ propose_actions: [] }, told)).map(([command]) => command)).toEqual([
      "lsof -nP +L1",
      "grep -n level /etc/checkout/logging.yml",
    ]);
  });

  it("says that it is over when an output shows it", () => {
    const health = output(8, "curl -fsS localhost:8080/health", '{"status":"ok"}');
    const changes = [
      output(6, "sed -i 's/level: debug/level: info/' /etc/checkout/logging.yml", ""),
      output(7, "systemctl restart checkout-worker checkout-api", ""),
    ];
    const last = output(9, "journalctl -u checkout-api --since '2 minutes ago' | grep -i 'no space left'", "");
    const answer = engineer(fullDisk)(asked({ propose_actions: [] }, ...looks, ...changes, health, last));
    expect(answer.toolCalls).toBeUndefined();
    expect(answer.text).toContain(`Changed by 6, 7. If it is healthy: \`/close ${fullDisk.cause}\``);
  });
});
