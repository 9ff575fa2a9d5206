/** The result of a `create` that passes on to `settle` what it found out: the identity of the new object, and that. */
export class Created<I, H> {
  readonly id: I;
  readonly handover: H;

  constructor(id: I, handover: H) {
    this.id = id;
    this.handover = handover;
  }
}
