import { endpoint } from "./kernel/endpoint.ts";

export const versionEndpoints = [
  endpoint({
    method: "GET",
    path: "/version",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world }) => world.version,
  }),
];
