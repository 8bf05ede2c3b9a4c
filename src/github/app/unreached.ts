import { messageOf, type Problem } from "../../base/errors.ts";

/** Why no answer came, by the code of what went wrong on the way; the host is named before it. */
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

const otherwise = "look whether this machine may reach it; through a proxy, set HTTPS_PROXY";

/** The problem of a GitHub that was not reached at all. Returns undefined where it answered, whatever it said. */
export function unreached(apiUrl: string, error: unknown): Problem | undefined {
  // Octokit says 500 of what got no answer; only then the error has a cause.
  if (!(error instanceof Error) || error.cause === undefined) return undefined;
  const code = codeOf(error);
  const [why, remedy] = certificateCodes.test(code)
    ? privateAuthority
    : (reasons[code] ?? [messageOf(error).replace(/\.$/, ""), otherwise]);
  return { place: "github.api_url", message: `${hostOf(apiUrl)} cannot be reached: ${why}`, remedy };
}

/** The innermost code of a chain of causes. */
function codeOf(error: Error): string {
  const inner = error.cause instanceof Error ? codeOf(error.cause) : "";
  return inner !== "" ? inner : "code" in error ? String(error.code) : "";
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
