import type { ObjectPaths } from "#pve";

export interface Endpoints {
  readonly list: string;
  readonly read: string;
  readonly create: string;
  readonly update: string;
  readonly delete: string;
}

/** The calls that a definition makes, as PVE's description names them. */
export function endpointsOf({
  path,
  collection = path.slice(0, path.lastIndexOf("/")),
  creation,
}: ObjectPaths): Endpoints {
  return {
    list: `GET ${collection}`,
    read: `GET ${path}`,
    create: `POST ${creation ?? collection}`,
    update: `PUT ${path}`,
    delete: `DELETE ${path}`,
  };
}

/** The same for what PVE always has: to create it is to change it, and so is to remove it. */
export function endpointsOfSettings({
  path,
  change = "PUT",
}: Pick<ObjectPaths, "path"> & { readonly change?: string | undefined }): Endpoints {
  const [read, update] = [`GET ${path}`, `${change} ${path}`];
  return { list: read, read, create: update, update, delete: update };
}
