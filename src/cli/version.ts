import packageJson from "../../package.json" with { type: "json" };

/** The provider's own version, as released. */
export const version: string = packageJson.version;
