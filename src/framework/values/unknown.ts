/**
 * A value that will be known later. Terraform may add what it already knows about it (not null, a prefix, a range); the
 * refinement is passed on without being read, so that an unchanged value keeps it.
 */
export class Unknown {
  readonly refinement: Uint8Array | undefined;

  constructor(refinement?: Uint8Array) {
    this.refinement = refinement;
  }
}

export const UNKNOWN = new Unknown();
