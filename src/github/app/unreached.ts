import { messageOf, type Problem } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { statusOf, writeFailure } from "../outcome.ts";

/** By the error's code; the host's name stands before. */
const reasons: Readonly<Record<string, readonly [why: string, remedy: string]>> = {
  ENOTFOUND: ["its name leads to no address", "correct `github.api_url`, or this machine's DNS"],
  EAI_AGAIN: [
    "this machine's DNS does not answer",
    "look at /etc/resolv.conf; a machine without DNS needs HTTPS_PROXY",
  ],
  ECONNREFUSED: ["nothing listens there", "correct `github.api_url`, or look whether it is up"],
};

const certificateCodes =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;
const privateAuthority = [
  "its certificate is signed by an authority that is not known here",
  "if it is your company's, name its certificate in NODE_EXTRA_CA_CERTS=/path/ca.pem",
] as const;

const later = "try again later; githubstatus.com, or whoever runs your GitHub, tells what is wrong there";
const otherwise = "look whether this machine may reach it; through a proxy, set HTTPS_PROXY";

/** The problem of an unreached GitHub; undefined if it answered. */
export function unreached(apiUrl: string, error: unknown): Problem | undefined {
  // Octokit gives a request without an answer the status 500; only such an error has a cause.
  if (!(error instanceof Error) || error.cause === undefined) return undefined;
  const code = codeOf(error);
  const [why, remedy] = certificateCodes.test(code)
    ? privateAuthority
    : (reasons[code] ?? [messageOf(error).replace(/\.$/, ""), otherwise]);
  return { place: "github.api_url", message: `${hostOf(apiUrl)} cannot be reached: ${why}`, remedy };
}

function codeOf(error: Error): string {
  const inner = error.cause instanceof Error ? codeOf(error.cause) : "";
  return inner !== "" ? inner : "code" in error ? String(error.code) : "";
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

/** GitHub's own words, or the status if the answer is a page for people. */
export function answerWords(error: unknown): string {
  const status = statusOf(error);
  const data = isRecord(error) && isRecord(error.response) ? error.response.data : undefined;
  const words = isRecord(data) && typeof data.message === "string" ? `: ${data.message.slice(0, 200)}` : "";
  return status === undefined ? messageOf(error) : `GitHub answered ${status}${words}`;
}

/** Whether GitHub itself refused the key; a page in its place does not say. */
export const isKeyRefused = (error: unknown): boolean => {
  const status = statusOf(error);
  const data = isRecord(error) && isRecord(error.response) ? error.response.data : undefined;
  return status === 401 || (status === 404 && typeof data !== "string");
};

export function refusalProblem(apiUrl: string, error: unknown): Problem {
  const away = unreached(apiUrl, error);
  if (away) return away;
  const message = answerWords(error);
  const status = statusOf(error) ?? 0;
  if (isKeyRefused(error))
    return {
      place: "github.app_id",
      message: `GitHub does not know this App by its key: ${message}`,
      remedy: "compare app_id and the private key with the App's settings page, and api_url with your GitHub",
    };
  const place = "github.api_url";
  if (writeFailure(error, Date.now()).kind === "later")
    return { place, message: `${message}: the rate limit is reached`, remedy: "try again in an hour" };
  if (status >= 500) return { place, message, remedy: later };
  if (status === 403)
    return { place, message, remedy: "look whether GitHub's IP allow list, or a proxy, refuses this machine" };
  return { place, message, remedy: notAnApi };
}

export const pageProblem = (apiUrl: string): Problem => ({
  place: "github.api_url",
  message: `${hostOf(apiUrl)} answered with a page, not as GitHub's API`,
  remedy: notAnApi,
});

const notAnApi =
  "correct `github.api_url`: https://api.github.com, or https://HOST/api/v3; a proxy or a login page may answer in its place";
