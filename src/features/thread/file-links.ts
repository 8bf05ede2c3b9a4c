import type { Skill } from "../../base/github.ts";
import type { RepoFiles } from "../../github/context/read.ts";
import { originOf } from "../../github/context/skill.ts";
import { blobUrl } from "../../github/web.ts";
import { absoluteAddress } from "../../text/links.ts";
import type { Deps } from "../context.ts";

/** Where GitHub is, as the operator says it. */
interface Site {
  readonly config: { readonly github: Pick<Deps["config"]["github"], "apiUrl"> };
}

/** What the paths of a repository's files stand behind for people, at a commit; undefined where there is none. */
export const filesAt = ({ config }: Site, repo: string, commit: string | null | undefined): string | undefined =>
  commit ? blobUrl(config.github.apiUrl, { repo, commit }) : undefined;

/**
 * Gives a link of a reply its address: a path is of the file as it was read, a skill's in the repository that it came from (AR-20).
 * Undefined where there is none.
 */
export const createAddressIn =
  (site: Site, { context }: { readonly context: Pick<RepoFiles, "commit" | "organization"> }, repo: string) =>
  (url: string, skill: Pick<Skill, "path" | "source"> | undefined): string | undefined => {
    const origin = skill ? originOf(context, repo, skill) : { repo, commit: context.commit };
    return absoluteAddress(url, origin && filesAt(site, origin.repo, origin.commit));
  };
