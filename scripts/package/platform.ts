/** The platform of an executable, in the terms of the Terraform Registry. */
export interface Platform {
  readonly os: "darwin" | "linux" | "windows";
  readonly arch: "amd64" | "arm64";
  /** The C library, where it is not the usual one of the system: Alpine Linux has musl. */
  readonly libc?: "musl";
  /** The npm package with Bun for it. */
  readonly bun: `@oven/bun-${string}`;
}

export const platforms: readonly Platform[] = [
  { os: "darwin", arch: "amd64", bun: "@oven/bun-darwin-x64" },
  { os: "darwin", arch: "arm64", bun: "@oven/bun-darwin-aarch64" },
  { os: "linux", arch: "amd64", bun: "@oven/bun-linux-x64" },
  { os: "linux", arch: "arm64", bun: "@oven/bun-linux-aarch64" },
  { os: "linux", arch: "amd64", libc: "musl", bun: "@oven/bun-linux-x64-musl" },
  { os: "linux", arch: "arm64", libc: "musl", bun: "@oven/bun-linux-aarch64-musl" },
  { os: "windows", arch: "amd64", bun: "@oven/bun-windows-x64" },
  { os: "windows", arch: "arm64", bun: "@oven/bun-windows-aarch64" },
];

export const nameOf = ({ os, arch, libc }: Platform): string => [os, arch, ...(libc ? [libc] : [])].join("_");

/** Its name in Bun's own terms, by which the compiler chooses the format of the executable. */
export const targetOf = ({ bun }: Platform): string => bun.replace("@oven/", "").replace("aarch64", "arm64");

/** The platform this runs on. */
export function hostPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  const isMusl = os === "linux" && header.glibcVersionRuntime === undefined;
  return platformNamed(`${os}_${arch}${isMusl ? "_musl" : ""}`);
}

export function platformNamed(name: string): Platform {
  const found = platforms.find((platform) => nameOf(platform) === name);
  if (!found) throw new Error(`${name} is not one of ${platforms.map(nameOf).join(", ")}`);
  return found;
}
