/**
 * Kinds of slots that belong together, with the highest number each may have: `{ scsi: 30, virtio: 15 }`. Null: the only
 * slot of its kind, without a number, such as `rootfs`.
 */
export type Families = Readonly<Record<string, number | null>>;

export const familyOf = (slot: string): string => slot.replace(/\d+$/, "");

export const numberOf = (slot: string): number => Number(/\d+$/.exec(slot)?.[0] ?? Number.NaN);

/** `scsi30` is a slot of `{ scsi: 30 }`; `scsi31`, `scsi03` and `scsi` are not. */
export function isSlot(option: string, families: Families): boolean {
  const family = familyOf(option);
  const highest = Object.hasOwn(families, family) ? families[family] : undefined;
  if (highest === null) return option === family;
  return highest !== undefined && option === `${family}${numberOf(option)}` && numberOf(option) <= highest;
}

/** "`scsi0` to `scsi30` or `virtio0` to `virtio15`" */
export function describeFamilies(families: Families): string {
  return Object.entries(families)
    .map(([family, highest]) => {
      if (highest === null) return `\`${family}\``;
      return highest === 0 ? `\`${family}0\`` : `\`${family}0\` to \`${family}${highest}\``;
    })
    .join(" or ");
}
