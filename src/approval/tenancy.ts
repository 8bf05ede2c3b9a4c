/** Which repositories the bot serves (SR-07). A name can pass to another repository, an id cannot, so each name means one id. Pure. */

export interface Pin {
  readonly repoId: number;
  readonly installationId: number;
  /** False once GitHub has reported this installation deleted. */
  readonly installed: boolean;
}

export interface TenancyQuestion {
  /** Its `id` takes precedence over the pin. */
  readonly entry: { readonly id?: number | undefined; readonly allowPublic: boolean } | undefined;
  readonly pin: Pin | undefined;
  readonly from: { readonly repoId: number; readonly installationId: number; readonly private: boolean };
}

export type Tenancy =
  | { readonly kind: "served" }
  /** Served, once the store has pinned it. */
  | { readonly kind: "pin" }
  | { readonly kind: "refused"; readonly reason: string };

const refused = (reason: string): Tenancy => ({ kind: "refused", reason });

/** Gives the first reason against serving a repository. */
export function decideTenancy({ entry, pin, from }: TenancyQuestion): Tenancy {
  const { repoId, installationId } = from;
  if (!entry) return refused("github.repositories does not name it");
  if (entry.id !== undefined && entry.id !== repoId)
    return refused(`its id is ${repoId}, and github.repositories gives ${entry.id} for its name`);
  if (entry.id === undefined && pin && pin.repoId !== repoId)
    return refused(
      `its id is ${repoId}, and its name was ${pin.repoId}'s: it was created again. If it is meant, write \`id: ${repoId}\` to its name in github.repositories`,
    );
  if (!from.private && entry.allowPublic !== true) return refused("it is public, without `allow_public: true`");
  if (!pin || pin.repoId !== repoId) return { kind: "pin" };
  if (pin.installationId === installationId)
    return pin.installed ? { kind: "served" } : refused(`the App's installation ${installationId} was deleted`);
  if (!pin.installed || entry.id !== undefined) return { kind: "pin" };
  return refused(
    `it comes by the App's installation ${installationId}, and is known by ${pin.installationId}. If the App was installed again, write \`id: ${repoId}\` to its name in github.repositories`,
  );
}
