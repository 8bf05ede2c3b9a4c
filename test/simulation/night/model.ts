import { endMarker, startMarker } from "../../../src/agent/reply/markers.ts";
import type { Message, Said } from "../../agent/fake-model.ts";
import { canary } from "./script.ts";

/** Which command of which kind a turn proposes; each stands nowhere else. */
const commands: readonly ((token: string) => { readonly server: string; readonly command: string })[] = [
  (token) => ({ server: "web-1", command: `ls /srv/${token}` }),
  (token) => ({ server: "web-2", command: `cat /srv/${token}` }),
  (token) => ({ server: "web", command: `ls -l /srv/${token}` }),
  (token) => ({ server: "web-1", command: `systemctl restart ${token}` }),
  (token) => ({ server: "web-1", command: `rm -r /srv/app/cache/${token}` }),
];

/** A number that is as good as random and the same in each run. */
const drawn = (...parts: readonly number[]): number =>
  parts.reduce((sum, part) => Math.imul(sum ^ (part + 0x9e3779b9), 0x85ebca6b) >>> 7, 0x2545f491);

function proposing(of: number, turn: number): string {
  const actions = Array.from({ length: 1 + (drawn(of, turn, 1) % 3) }, (_, index) => {
    const make = commands[drawn(of, turn, index, 2) % commands.length] ?? commands[0];
    const { server, command } = make?.(`m${of}t${turn}n${index}z`) ?? { server: "web-1", command: "uptime" };
    const title = ["What is there", "Look again", "Make room"][drawn(of, turn, index, 3) % 3];
    const expect = drawn(of, turn, index, 4) % 4 === 0 ? { expect: { exit: 0, lacks: "panic" } } : {};
    return {
      id: `${index + 1}`,
      api: "ssh.execute",
      title,
      description: "It tells whether the volume grows",
      ...expect,
      params: { server, command },
    };
  });
  return [startMarker, JSON.stringify({ actions }), endMarker].join("\n");
}

/** What the model of the night says: it depends on the incident and on how often it was asked there, and on nothing else. */
export function nightModel(): (messages: readonly Message[]) => Said {
  const asked = new Map<number, number>();
  return (messages) => {
    const [, named = "0"] = /case (\d+)/.exec(messages.map(({ content }) => content).join("\n")) ?? [];
    const of = Number(named);
    const turn = (asked.get(of) ?? 0) + 1;
    asked.set(of, turn);
    const numbers = [...(messages.at(-1)?.content ?? "").matchAll(/Run of (\d+)/g)].map(([, number]) => number);
    const lead = `${["LIKELY", "CONFIRMED", "INCONCLUSIVE"][drawn(of, turn) % 3]} by ${numbers.join(", ") || "nothing yet"}: the volume of case ${of} grows.`;
    const calls = (name: string, given: object) => ({ text: "", toolCalls: [{ name, arguments: given }] });
    // What a tool has said goes back to it at once, and then it speaks.
    if (messages.at(-1)?.role !== "tool")
      switch (drawn(of, turn, 5) % 12) {
        case 0:
          return calls("ask_question", { question: "May the cache go?", choices: ["yes", "no"] });
        case 1:
          return calls("update_plan", { plan: `1. look at case ${of}\n2. make room\n3. watch, turn ${turn}` });
        case 2:
          return calls("start_workflow", { name: "look", params: { place: `w${of}t${turn}z` } });
        case 3:
          return { status: 500, body: { error: { message: "the server had an error" } } };
        case 4:
          return { text: `${lead}\n\nNothing to run. ${canary("output", turn)}` };
      }
    const suggestions =
      drawn(of, turn, 6) % 2 === 0 ? "\n\n[SUGGESTIONS]\n- Check what grew\n- Compare with web-2" : "";
    return { text: `${lead}\n${proposing(of, turn)}${suggestions}` };
  };
}
