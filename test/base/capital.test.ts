import { expect, test } from "vitest";
import { capital, capitalOfOthers } from "../../src/base/errors.ts";

test.each([
  ["it waits", "It waits", "It waits"],
  ["looking", "Looking", "Looking"],
  ["mail-worker on mail-1 hangs", "mail-worker on mail-1 hangs", "mail-worker on mail-1 hangs"],
  ["web1 is down", "web1 is down", "web1 is down"],
  ["checkout.service failed", "checkout.service failed", "checkout.service failed"],
  ["/var is full", "/var is full", "/var is full"],
  ["nginx is down", "Nginx is down", "nginx is down"],
  ["ping fails", "Ping fails", "ping fails"],
  ["état inconnu", "État inconnu", "État inconnu"],
  ["full.", "Full.", "Full."],
  ["that is it", "That is it", "That is it"],
  ["", "", ""],
])("WORDING a sentence opens with a capital, and a unit's name keeps its case: %j", (text, ours, others) => {
  expect([capital(text), capitalOfOthers(text)]).toEqual([ours, others]);
});
