import { expect, test } from "vitest";
import { createRedactor } from "../../../src/text/redact.ts";

const redact = createRedactor();

const out = (text: string): string => {
  const redacted = redact(text);
  return redacted.ok ? redacted.text : redacted.reason;
};

/** Drawn once; in parts, so that no scanner takes this file for a leak. */
const mixed = ["q7RzK2mVx9", "LpT4wYb8Nc", "3HdGs6JfEa"].join("");
const small = ["k3v9x2m7q1", "z8w4p6n5r0", "t2y7b4h9"].join("");
const uuid = ["5f0c9d1e", "7a3b", "4c28", "9e64", "b1d7f02a8c35"].join("-");

// Classes of what other scanners' own examples hold (test/outside/redaction.ts): what is hidden, in which dress.
test.each([
  ["a value set where none is", `API_TOKEN ?= "${small}"`, small],
  ["make's three colons", `api_TOKEN :::= "${small}"`, small],
  ["a value that is appended", `$apiToken .= "${small}"`, small],
  ["a comparison with a password", `if user == "ann" and password == "Plum${42}Tree":`, "Plum42Tree"],
  ["a default behind a variable", `key = process.env.ACCOUNT_KEY ||\n  "${mixed}";`, mixed],
  ["the same value again behind a bar", `depot token = 'mlm9iqkm' | 'mlm9iqkm'`, "mlm9iqkm"],
  ["a UUID in a key's place", `depot_key = ${uuid}`, uuid],
  ["a key behind the word for it", `depot SECRET ${small}`, small],
  ["a key of capitals behind the word for it", `depot access key X7W8HTT4LVYX2PVRZJZS`, "X7W8HTT4LVYX2PVRZJZS"],
  ["a prefix and a drawn part", `sent odp_${mixed} upstream`, `odp_${mixed}`],
  ["what Jenkins encrypts", `<secret>{AQAAABAAA ${small}}</secret>`, small],
  ["a quoted password in a sentence", `The default password is 'blooberry'`, "blooberry"],
  ["a curl user in quotes", `curl -k -X POST https://h.example \\\n  -u ann:${mixed}`, mixed],
  ["a constant of a call", `curl_easy_setopt(curl, CURLOPT_PASSWORD, "${mixed}");`, mixed],
  ["an address with an address as its user", `smtps://ann@mail.example:FnD83JZs@smtp.example:465`, "FnD83JZs"],
  ["a query within a query", `https://h.example/x?u%3D1%26token%3D${small}%26v%3D2`, small],
  ["a password that stands again on its line", "account:dipPr121Gg! password:dipPr121Gg!", "dipPr121Gg!"],
  ["a password of one digit", "password=00000000", "00000000"],
  ["a password that begins as a class does", "password: Hunter{2x}Kite7", "Hunter{2x}Kite7"],
  ["a misspelled name", "X3_PSWRD=d37Yt1Jnv0-z", "d37Yt1Jnv0-z"],
])("SR-45 %s is hidden", (_, text, secret) => {
  expect(out(text)).not.toContain(secret);
});

test.each([
  ["a stand-in of one letter", "token: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
  ["a stand-in of zeros", "InstrumentationKey=00000000-0000-0000-0000-000000000000;EndpointSuffix=ai.example;"],
  ["a stand-in in angle brackets", "AccountKey=<YOUR_ACCOUNT_KEY>;"],
  ["a label in a string that ends behind it", 'sb.append("MasterUserPassword: " + getMasterUserPassword() + ",");'],
  ["a name between Ruby's braces", 'text << "Password=#{password}, "'],
  ["a name that Compose hands on", "password: $${PYPI_PASSWORD}"],
  ["a name between Puppet's braces", "password: %{password}"],
  ["an object's class and address", "Bad activity token: android.os.BinderProxy@2bd79ce"],
  ["an object's own text", "wtoken = AppWindowToken{9f4ef63 token=Token{a64f992 ActivityRecord{de9231d u0}}}"],
  ["the user of PowerShell's -Credential", "New-PSSession -ComputerName web-1 -Credential Domain01\\User01"],
  ["a host behind a sentence on credentials", "delegating fresh credentials to these target(s): wsman/db2.example.com"],
  ["a fence below a sentence on a secret", "Read the secret:\n\n```console\n$ date\n```"],
  ["a list below a heading on secrets", "Check the secrets:\n    - Identify the object"],
  ["a thing that is identified by another", "paths are identified by their names"],
  ["where root signed in", "root[2421]: ROOT LOGIN ON tty2"],
  ["an actor's name in an address", "listening on [akka.tcp://sparkExecutorActorSystem@mesos-slave-07:55904]"],
  ["a public key's id", "gpg:                using EDDSA key 0472C3A6B703AE20EC1B82043FED9714FC12562B"],
  ["a pod that is called after a token", "3m Normal Pulled pod/token-refresher-29133271-xyxn8 present"],
  [
    "a digest of a package",
    "integrity sha512-lqRbqDHVgoP4FoXj6MIbpIjLzbdQgYd0UpvY7Fzf9fCwittDx3E9R2uUw58j9Br2M8nFAghSOZBdQDQSH4LSvA==",
  ],
])("SR-45 %s stays", (_, text) => {
  expect(out(text)).toBe(text);
});
