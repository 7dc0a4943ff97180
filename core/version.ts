import manifest from "../package.json" with { type: "json" };

/** The version of this Credence, from the package manifest. */
export const VERSION: string = manifest.version;
