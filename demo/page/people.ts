import type { PagePerson } from "./create-page.ts";

/** The four a visitor may be: who may sign, who may propose, and who may do nothing. */
export const demoPeople = [
  {
    login: "mona",
    role: "approver",
    may: "mona is on call: she may propose, approve, reject and edit any comment.",
  },
  {
    login: "lee",
    role: "approver",
    may: "lee is the second approver: a high-risk command needs both of them, each in a comment of their own.",
  },
  {
    login: "sam",
    role: "teammate",
    may: "sam has write access and may propose with /run, but not approve.",
  },
  {
    login: "eve",
    role: "stranger",
    may: "eve reads along but belongs to no team: whatever she types, nothing runs.",
  },
] as const satisfies readonly PagePerson[];
