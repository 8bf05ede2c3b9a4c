import { Octokit } from "@octokit/rest";

/**
 * An Octokit outside of any installation: as the App itself, or as nobody. What goes wrong is thrown and told by whoever asked, so
 * the SDK prints nothing: its own lines (a refusal, a deprecation) would stand raw on a terminal or beside the redacted log.
 */
export const createQuietOctokit = (options: {
  readonly apiUrl: string;
  readonly timeoutMs: number;
  readonly auth?: string;
}): Octokit =>
  new Octokit({
    baseUrl: options.apiUrl,
    ...(options.auth === undefined ? {} : { auth: options.auth }),
    // Octokit has two of them: one for its plugins, one for the request itself.
    request: { signal: AbortSignal.timeout(options.timeoutMs), log: silence },
    log: silence,
  });

const quiet = (): void => {};
const silence = { debug: quiet, info: quiet, warn: quiet, error: quiet };
