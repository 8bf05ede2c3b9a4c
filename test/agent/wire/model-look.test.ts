import { expect, it } from "vitest";
import { lookAtModel } from "../../../src/agent/wire/request.ts";
import { useStarted } from "../../harness/use-started.ts";
import { startFakeModel } from "../fake-model.ts";

const model = useStarted(() => startFakeModel());

const look = (change: object = {}) =>
  lookAtModel({ url: model.url, model: "small-1", apiKey: "sk-0123456789", ...change });
const list = { status: 200, body: { object: "list", data: [{ id: "small-1" }, { id: "large-1" }] } };

it("CONFIG an endpoint that has the model and takes the key is asked once, for its list alone", async () => {
  model.play(list);
  expect(await look()).toEqual({ said: `small-1 at ${new URL(model.url).host}` });
  expect(model.requests.at(-1)).toMatchObject({
    path: expect.stringMatching(/\/models$/),
    authorization: "Bearer sk-0123456789",
  });
  model.verify();
});

it.each([
  { what: "a key that is not taken", step: { status: 401 }, says: /does not accept the API key/, remedy: /valid key/ },
  { what: "an endpoint that is broken", step: { status: 500 }, says: /HTTP 500/, remedy: /whether it is up/ },
  {
    what: "a page instead of an API",
    step: { status: 200, body: "<html>" },
    says: /no list of models/,
    remedy: /correct `url`/,
  },
])("CONFIG $what is a fault, and holds no key", async ({ step, says, remedy }) => {
  model.play(step);
  const { fault } = await look();
  expect(fault).toEqual({ message: expect.stringMatching(says), remedy: expect.stringMatching(remedy) });
  expect(JSON.stringify(fault)).not.toContain("0123456789");
});

it("CONFIG nobody at the address is a fault", async () => {
  expect((await look({ url: "http://127.0.0.1:1/v1" })).fault?.message).toMatch(/no connection/);
});

it("CONFIG a model that is not listed, and an endpoint without a list, are doubts", async () => {
  model.play(list, { status: 404 });
  expect((await look({ model: "smal-1" })).doubt?.message).toMatch(/names 2 models, and smal-1 is not among them/);
  expect(await look()).toMatchObject({
    said: "not tried",
    doubt: { message: expect.stringMatching(/neither key nor model/) },
  });
});
