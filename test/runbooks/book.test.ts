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
