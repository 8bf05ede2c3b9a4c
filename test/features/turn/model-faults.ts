import { expect, it } from "vitest";
import { event, type Step } from "../../agent/fake-model.ts";
import { statesOf, useStage } from "../../harness/stage.ts";

const error = (message: string, code: string | null = null) => ({ error: { message, code } });

/** How an endpoint can fail, and what people hear of it (S15, F-16, F-17). */
export const faults: Readonly<Record<string, { readonly step: (url: string) => Step; readonly said: RegExp }>> = {
  "a hang": { step: () => ({ fault: "hang" }), said: /no answer within 1 s \(half of/ },
  "slow headers": { step: () => ({ fault: "headers-only" }), said: /nothing more came within 1 s \(half of/ },
  "half a body": { step: () => ({ fault: "half-body" }), said: /its answer broke off \(/ },
  "a stream that is cut off": {
    step: () => ({ pieces: [event({ choices: [{ delta: { content: "LIKELY: half" } }] })], ends: "reset" }),
    said: /its answer broke off \(/,
  },
  "HTML with a 200": {
    step: () => ({ status: 200, body: "<html>Bad gateway</html>" }),
    said: /its answer holds no reply/,
  },
  "no choices": { step: () => ({ status: 200, body: { choices: [] } }), said: /its answer holds no reply/ },
  "a 429 that asks for 120 s": {
    step: () => ({ status: 429, headers: { "retry-after": "120" }, body: error("slow down") }),
    said: /rate limited for another 120 s/,
  },
  "a used up quota": {
    step: () => ({ status: 429, body: error("You exceeded your current quota", "insufficient_quota") }),
    said: /its quota is used up/,
  },
  "a redirect to itself": {
    step: (url) => ({ status: 307, headers: { location: `${url}/chat/completions` } }),
    said: /it redirects, which is not followed \(HTTP 307\)/,
  },
};

/** The story of each fault on a whole bot: within the deadline the runbooks answer, and the next comment tries the model again. */
export function itGoesOnOffline(names: readonly string[]): void {
  const stage = useStage(() => ({ config: { model: { deadline: "2s", retry: { max_retries: 0 } } } }));

  it.each(names)(
    "S15.4 S15.7 OFF-1 F-16 after %s the incident goes on offline, and the next turn asks again",
    async (name) => {
      const fault = faults[name];
      if (!fault) throw new Error(`there is no fault called ${name}`);
      stage.model.play(fault.step(stage.model.url));
      const thread = await stage.open({
        title: "SpoolAlmostFull on web-1",
        body: "The spool of web-1 is at 97 %. Mail is deferred since 14:02Z.",
      });
      const { body } = await thread.waitFor((text) => text.includes("The model did not answer"), "the offline card");
      await stage.quiet();
      expect(body).toMatch(fault.said);
      expect(body).not.toContain("sk-test");
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed" });
      await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: the disk." });
      await thread.waitFor((text) => text.includes("**CONFIRMED by 1**\n\nThe disk."), "the model's card");
      stage.model.verify();
    },
  );
}
