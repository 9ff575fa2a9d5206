import { endpoint } from "./core/kernel/endpoint.ts";

const subdirectories = ["version", "cluster", "nodes", "storage", "access", "pools"];

export const versionEndpoints = [
  endpoint({
    method: "GET",
    path: "/",
    permissions: { user: "all" },
    parameters: {},
    handler: () => subdirectories.map((subdir) => ({ subdir })),
  }),
  endpoint({
    method: "GET",
    path: "/version",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world }) => world.version,
  }),
];
