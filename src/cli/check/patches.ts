import { checkPatchesAccess, checkPatchPlaces, type NamedPlace } from "../../github/app/patches-app.ts";
import type { CheckLook, ConfigLookKind } from "./look.ts";

/** The second App's rights, and each repository of `patches`. */
export const patchesLook: ConfigLookKind = {
  name: "patches",
  roles: ["agent", "runner"],
  restsOn: ["patches", "github", "github.patches_app"],
  look: async ({ config }): Promise<readonly CheckLook[]> => {
    const { patchesApp, apiUrl } = config.github;
    if (!patchesApp) return [];
    const app = { ...patchesApp, apiUrl };
    const { slug, problems } = await checkPatchesAccess(app);
    const said = slug === undefined ? "not signed in" : `App ${slug}, which alone may write to repositories`;
    const places = [...config.servers.values()].flatMap(({ name, patches }): NamedPlace[] =>
      patches ? [[name, patches]] : [],
    );
    const seen = slug === undefined ? [] : await checkPatchPlaces({ ...app, slug }, places);
    return [{ name: "patches", said, problems }, ...seen];
  },
};
