import { describe, expect, it } from "vitest";
import { type PersonStanding, type Roster, rightsOf } from "../../src/approval/rights.ts";

const roster: Roster = { teams: ["acme/oncall"], users: [{ id: 7, login: "lee" }], minRole: "write" };
const lee: PersonStanding = { person: { id: 7, login: "lee" }, type: "User", role: "write", teams: [], viaApp: false };
const app: PersonStanding = { ...lee, person: { id: 100, login: "helper[bot]" }, type: "Bot", role: "none", appId: 55 };

describe("what an agent may do that policy.proposers lists", () => {
  const listed: Roster = { ...roster, proposers: { apps: [55], users: [{ id: 9, login: "auto" }] } };
  const auto: PersonStanding = { ...lee, person: { id: 9, login: "auto" }, role: "read" };

  it.each<[string, PersonStanding, boolean]>([
    ["a listed App by itself", app, true],
    ["a person with write access, through a listed App", { ...lee, appId: 55, viaApp: true }, true],
    ["a person who can only read, through a listed App", { ...lee, role: "read", appId: 55, viaApp: true }, false],
    ["a listed account that can read", auto, true],
    ["a listed account without access", { ...auto, role: "none" }, false],
  ])("SR-16 %s never acts or approves, and proposes: %#", (_who, standing, propose) => {
    const missing = "policy.proposers lists you as an agent";
    expect(rightsOf(listed, standing)).toEqual({ see: false, propose, act: false, approve: false, missing });
  });

  it.each<[string, Roster, PersonStanding]>([
    ["an App that is not listed", listed, { ...app, appId: 56 }],
    ["an App where none is listed", roster, app],
    ["a bot of no App", listed, { ...app, appId: undefined }],
  ])("SR-16 %s has no right at all", (_who, of, standing) => {
    const missing = "only people approve; this account is a Bot";
    expect(rightsOf(of, standing)).toEqual({ see: false, propose: false, act: false, approve: false, missing });
  });

  it("SR-16 leaves other people what they have", () => {
    expect(rightsOf(listed, lee)).toEqual({ see: true, propose: true, act: true, approve: true, missing: "" });
  });
});

describe("why a person may not approve", () => {
  it.each<[string, Partial<Roster>, Partial<PersonStanding>, string]>([
    ["nobody may", { teams: [], users: [] }, {}, "nobody may approve: policy.approvers is empty"],
    ["a deleted account", {}, { type: "" }, "only people approve; this account is a deleted account"],
    ["an id that is none", {}, { person: { id: 0, login: "lee" } }, "only people approve; this account is a User"],
    [
      "not listed, and too little access",
      { users: [] },
      { role: "read" },
      "only acme/oncall may; needs write access; you have read",
    ],
    ["a roster that asks for no role", { minRole: "none" }, { role: "none" }, "needs read access; you have none"],
  ])("SR-15 %s", (_why, of, change, missing) => {
    expect(rightsOf({ ...roster, ...of }, { ...lee, ...change })).toMatchObject({ approve: false, missing });
  });
});
