/**
 * Escaped bytes of UTF-8 as text. PVE stores other escapes, too, since it compares the characters only (pve-common:
 * src/PVE/JSONSchema.pm, `urlencoded`): such a text stays as it is.
 */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
