/**
 * The provider's schema as Terraform asks for it, encoded. The build replaces this file by one that has it; the sources
 * encode it when it is asked for.
 */
export const preparedSchema: (() => Promise<Uint8Array>) | undefined = undefined;
