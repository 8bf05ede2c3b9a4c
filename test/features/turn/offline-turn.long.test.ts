import { expect, it } from "vitest";
import { usePlayground } from "../../harness/playground.ts";
import { saying } from "../../ssh/fake-host.ts";

const playground = usePlayground(() => ({ play: saying("fine\n") }));

it("OFF-1 without a model a result that changes nothing of what the newest card says brings no further card", async () => {
  const thread = await playground.open({ title: "something is odd", body: "" });
  await playground.quiet();
  for (const word of ["one", "two"]) {
    await thread.say("lee", `/run web-1\n\`\`\`sh\necho ${word}\n\`\`\``);
    await playground.quiet();
  }
  const bodies = (await thread.comments()).map(({ body }) => body);
  expect(bodies.filter((body) => body.includes("No runbook fits this incident"))).toHaveLength(1);
  expect(bodies.filter((body) => /^\*\*\d\*\* ✅/.test(body))).toHaveLength(2);
  // A question is answered though the answer is the same.
  await thread.say("lee", "/ask and now?");
  await playground.quiet();
  // The question itself, and the card that answers it.
  expect(await thread.comments()).toHaveLength(bodies.length + 2);
});
