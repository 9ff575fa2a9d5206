import { bytesOf, defineFunction, faultOfSize, int, object, sizeOf, string } from "#kit";

/** `provider::proxmox::size`. */
export const sizeFunction = defineFunction({
  name: "size",
  summary: "Reads a size such as 512M or 1.5T.",
  doc: "Reads a size as Proxmox VE and this provider write it: a number and K, M, G or T, of which each is 1024 times the one before; a number alone is bytes. Returns `bytes`, to calculate with, and `canonical`, the same size in the largest unit that divides it evenly, which is how Proxmox VE prints it and how two spellings of one size are compared.",
  parameters: { size: { type: string(), doc: "The size, such as `512M`, `32G`, `1.5T`, or a number of bytes." } },
  returns: object({ bytes: int(), canonical: string() }),
  call({ size }, { fail }) {
    const bytes = bytesOf(size.trim());
    if (bytes === null) return fail("size", `"${size}" is no size. ${faultOfSize(size)}`);
    return { bytes, canonical: sizeOf(bytes) };
  },
});
