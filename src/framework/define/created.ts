/** The result of a `create` that passes on to `settle` what it found out: the identity of the new object, and that. */
export class Created<I, H> {
  readonly id: I;
  readonly handover: H;
  /** It was there before. If anything fails from here on, it stays out of the state: Terraform destroys a tainted object. */
  readonly isAdopted: boolean;

  constructor(id: I, handover: H, { isAdopted = false } = {}) {
    this.id = id;
    this.handover = handover;
    this.isAdopted = isAdopted;
  }
}
