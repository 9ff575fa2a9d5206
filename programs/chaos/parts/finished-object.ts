/** The object that a message says exists already, with its import block; `addressOf` names it in the configuration. */
export const finishedObject =
  (addressOf: (type: string, id: string) => string | undefined) =>
  (message: string): { readonly address: string; readonly id: string } | undefined => {
    const [, type = "", id = ""] = /import \{\s+to = (proxmox_\w+)\.NAME\s+id = "([^"]+)"/.exec(message) ?? [];
    const address = type === "" ? undefined : addressOf(type, id);
    return address === undefined ? undefined : { address, id };
  };

/** The name in an address of an object with this ID. */
export const nameFor = (id: string): string => id.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
