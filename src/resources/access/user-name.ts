import { isPveError, string } from "#kit";

/** `name@realm`; a `!` would make a token of it (pve-access-control: src/PVE/Auth/Plugin.pm). */
export const userName = string({
  check: (name) => {
    if (!/^[^\s:/!]+@[A-Za-z][A-Za-z0-9._-]+$/.test(name)) {
      return "Must be a name and a realm, such as `ann@pve`, without blanks, `:`, `/` or `!`.";
    }
    return name.length > 64 ? "Must be at most 64 characters long." : undefined;
  },
});

export const realmOf = (user: string): string => user.slice(user.lastIndexOf("@") + 1);

/** The user the provider works as, whether by password or by token. */
export const callerOf = ({ identity }: { readonly identity: string }): string => identity.split("!")[0] ?? "";

/** Looks for something that not every caller may see: undefined if this caller may not. */
export async function ifVisible<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (reason) {
    if (!isPveError(reason, "permission")) throw reason;
    return undefined;
  }
}
