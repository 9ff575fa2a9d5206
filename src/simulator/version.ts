import { endpoint } from "./core/kernel/endpoint.ts";
import { indexEndpoint } from "./core/kernel/index-endpoint.ts";

const subdirectories = ["version", "cluster", "nodes", "storage", "access", "pools"];

export const versionEndpoints = [
  indexEndpoint("/", "subdir", subdirectories),
  endpoint({
    method: "GET",
    path: "/version",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world }) => world.version,
  }),
];
