/**
 * The provider's encoded schema. The build replaces this file by one that contains it; the sources encode it on
 * request.
 */
export const preparedSchema: (() => Promise<Uint8Array>) | undefined = undefined;
