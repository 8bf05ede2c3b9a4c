import { expect, test } from "vitest";
import { bookOf } from "../../src/runbooks/offline.ts";

const changes = (command: string): boolean => command.startsWith("systemctl restart");
const given = { changes, isJudged: true, unread: false, values: [], shells: ["bash"] } as const;
const act = "## Act\n```sh\ndf -h\nuptime\nsystemctl restart shop\ncurl -s localhost\n```";

test("OFF-1 a runbook without a Verify part looks before it changes something", () => {
  expect(bookOf(act, given)).toMatchObject({
    verify: ["df -h", "uptime"],
    act: ["systemctl restart shop", "curl -s localhost"],
  });
});

test.each([
  ["with one, what stands under Act stays there", `## Verify\n\`\`\`sh\nfree\n\`\`\`\n${act}`, {}, ["free"]],
  ["without a policy nothing is taken for a check", act, { isJudged: false }, []],
])("OFF-1 %s", (_what, body, but, verify) => {
  const book = bookOf(body, { ...given, ...but });
  expect(book.verify).toEqual(verify);
  expect(book.act).toEqual(["df -h", "uptime", "systemctl restart shop", "curl -s localhost"]);
});

const fenced = (command: string) => ["```sh", command, "```"].join("\n");
const indented = (command: string) => fenced(command).replace(/^/gm, "   ");

test.each([
  ["a heading in Chinese", `## 排查\n${fenced("df -h")}\n## 处理\n${fenced("systemctl restart a")}`],
  ["a heading in Spanish", `## Comprobar\n${fenced("df -h")}\n## Reparar\n${fenced("systemctl restart a")}`],
  ["a heading in Russian", `## Проверка\n${fenced("df -h")}\n## Исправление\n${fenced("systemctl restart a")}`],
  ["Steps, in a list", `## Steps\n1. Look:\n\n${indented("df -h")}\n\n2. Do:\n\n${indented("systemctl restart a")}`],
  ["a heading for each", `## Step 1\n${fenced("df -h")}\n## Step 2\n${fenced("systemctl restart a")}`],
  ["no heading", `${fenced("df -h")}\nThen:\n${fenced("systemctl restart a")}`],
  ["Symptoms, before a known one", `## Symptoms\n${fenced("df -h")}\n## Fix\n${fenced("systemctl restart a")}`],
  ["any, behind a known one", `## Verify\n${fenced("df -h")}\n## Pasos\n${fenced("systemctl restart a")}`],
])("OFF-1 commands under %s are found, and what they do tells a look from an act", (_, body) =>
  expect(bookOf(body, given)).toMatchObject({ verify: ["df -h"], act: ["systemctl restart a"], changing: [] }),
);

test.each(["Rollback", "回滚", "ロールバック", "Откат", "Zurückrollen", "Deshacer", "Ejemplo"])(
  "OFF-1 commands under %s are no step of the runbook",
  (heading) =>
    expect(bookOf(`## Steps\n${fenced("df -h")}\n## ${heading}\n${fenced("systemctl restart a")}`, given).act).toEqual(
      [],
    ),
);

test("OFF-1 looks in an unknown section behind the first change are steps in order", () => {
  const lines = ["df -h", "systemctl restart a", "uptime"];
  const { verify, act } = bookOf(`## Steps\n${fenced(lines.join("\n"))}`, given);
  expect([verify, act]).toEqual([["df -h"], ["systemctl restart a", "uptime"]]);
});
