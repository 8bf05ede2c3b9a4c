import { expect, test } from "vitest";
import { createMatcher } from "../../../src/runbooks/match/matcher.ts";
import { createSpelling } from "../../../src/runbooks/match/words.ts";
import { skills } from "../labelled.ts";

const spell = createSpelling(new Set(["postgres", "connections", "replica", "replace", "partition", "disk"]));
const meant = (word: string) => spell([[word]])[0]?.[1];

test("OFF-1 a word that is one slip away from a single known one is read as that too", () => {
  expect(["postgers", "postgress", "postgre", "postgras", "conections", "partiton", "partitoin"].map(meant)).toEqual([
    "postgres",
    "postgres",
    "postgres",
    "postgres",
    "connections",
    "partition",
    "partition",
  ]);
});

test("OFF-1 known words, short ones, numbers, other scripts, other beginnings and what is as near to two stay as they are", () => {
  const words = ["postgres", "dsik", "postgr3s", "сервер", "oostgres", "replaca", "pstgers", "a".repeat(5_000), ""];
  expect(words.map(meant)).toEqual(words.map(() => undefined));
  expect(spell([["notready", "not"], ["ready"]])).toEqual([["notready", "not"], ["ready"]]);
});

test("OFF-1 a runbook is found by a person whose fingers slip", () => {
  const match = createMatcher(skills);
  const { ranked } = match({ title: "postgers too mny conections", body: "clients cant conect" });
  expect(ranked[0]?.name).toBe("postgres-too-many-connections");
});

test("OFF-1 what people on call abbreviate is read as its word too", () => {
  expect(["conns", "mem", "svc", "msgs", "exp"].map(meant)).toEqual([
    "connections",
    "memory",
    "service",
    "messages",
    "expires",
  ]);
  const match = createMatcher(skills);
  const first = (title: string, body: string) => match({ title, body }).ranked[0]?.name;
  expect(first("cert for mail.example.com exp in 2d", "")).toBe("tls-certificate-expiring");
  expect(first("mem on bi-2 goes to 100", "and then the etl proc just vanishes")).toBe("host-oom-kill");
  expect(match({ title: "cert exam voucher exp in 2d", body: "" }).band).not.toBe("high");
});
