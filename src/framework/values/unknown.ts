/**
 * A value that will be known later. Terraform may add what it already knows about it (not null, a prefix, a range);
 * that refinement is carried along unread, so that a value given back unchanged is given back in full.
 */
export class Unknown {
  readonly refinement: Uint8Array | undefined;

  constructor(refinement?: Uint8Array) {
    this.refinement = refinement;
  }
}

export const UNKNOWN = new Unknown();
