/** Something that interrupted runs have left, and how to remove it. */
export interface Leftover {
  /** As the list and the messages name it. */
  readonly title: string;
  /** Where it is, and its state. */
  readonly details: readonly [place: string, state: string];
  /** Why it stays. */
  readonly obstacle: string | undefined;
  remove(): Promise<void>;
}

/** Why something stays after all. */
export class Stays extends Error {}
