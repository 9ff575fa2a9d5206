/**
 * PVE::AccessControl::normalize_path: one leading slash, no doubled or trailing one; undefined for invalid characters.
 */
export function normalizePath(path: string): string | undefined {
  if (path === "" || path === "0") {
    return undefined;
  }
  const single = path.replace(/\/+/g, "/").replace(/\/$/, "");
  const rooted = single.startsWith("/") ? single : `/${single}`;
  return /^[A-Za-z0-9.\-_/]+$/.test(rooted) ? rooted : undefined;
}

const name = "[A-Za-z0-9.\\-_]+";
const word = "[A-Za-z0-9]+";

const known = new RegExp(
  `^(?:${[
    "/",
    `/access(?:/groups(?:/${name})?|/realm(?:/${name})?)?`,
    `/nodes(?:/${name})?`,
    `/pool(?:/${name}){0,3}`,
    `/sdn(?:/controllers(?:/[A-Za-z0-9_\\-]+)?)?`,
    `/sdn/(?:dns|fabrics|ipams|prefix-lists|route-maps)(?:/${word})?`,
    `/sdn/zones(?:/${name}){0,2}`,
    `/sdn/zones/${name}/${name}/[1-9][0-9]{0,3}`,
    `/storage(?:/${name})?`,
    "/vms(?:/[1-9][0-9]{2,})?",
    `/mapping(?:/${name}){0,2}`,
  ].join("|")})$`,
);

/** PVE::AccessControl::check_path: whether an ACL entry can be set on the path. */
export function isAclPath(path: string): boolean {
  return known.test(path);
}
