import { group, inherits, type Members, matches, string } from "#kit";

const texts = ["manufacturer", "product", "version", "serial", "sku", "family"] as const;
const isPlain = (value: string) => /^[A-Za-z0-9+/=]*$/.test(value);
const encode = (value: string) => Buffer.from(value, "utf8").toString("base64");
const decode = (value: string) => Buffer.from(value, "base64").toString("utf8");

const text = (doc: string, key: string) =>
  inherits(string(), `smbios1/${key}`, doc, {
    as: { parse: (raw, sibling) => (sibling("base64") === true ? decode(String(raw)) : String(raw)) },
  });

/** Server side: qemu-server `src/PVE/QemuServer.pm`, `smbios1`: either all texts are base64 or none is. */
export const smbios = {
  smbios: group(
    {
      uuid: inherits(
        string({
          check: matches(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, "a UUID"),
          same: (a, b) => a.toLowerCase() === b.toLowerCase(),
        }),
        "smbios1/uuid",
        "UUID; PVE makes one for every VM.",
        { assigned: true, undo: "to_value" },
      ),
      manufacturer: text("Manufacturer.", "manufacturer"),
      product: text("Product.", "product"),
      version: text("Version.", "version"),
      serial: text("Serial number.", "serial"),
      sku: text("Stock keeping unit.", "sku"),
      family: text("Family.", "family"),
    },
    "What the guest reads about its hardware.",
    {
      custom: {
        patch(draft, desired) {
          const at = (key: string) => ({ option: "smbios1", key });
          const wasEncoded = draft.read(at("base64")) === true;
          const before = (key: string) => {
            const raw = draft.read(at(key));
            return raw === null ? null : wasEncoded ? decode(String(raw)) : String(raw);
          };
          const wanted = (desired ?? Object.fromEntries(texts.map((key) => [key, null]))) as Members;
          const now = texts.map((key) => [key, wanted[key] === undefined ? before(key) : wanted[key]] as const);
          const isEncoded = wasEncoded || now.some(([, value]) => typeof value === "string" && !isPlain(value));
          const hadTexts = texts.some((key) => draft.read(at(key)) !== null);
          for (const [key, value] of now) {
            draft.write(at(key), typeof value === "string" && isEncoded ? encode(value) : value);
          }
          const isNeeded = now.some(([, value]) => value) ? isEncoded : wasEncoded && !hadTexts;
          draft.write(at("base64"), isNeeded ? true : null);
        },
      },
    },
  ),
} as const;
