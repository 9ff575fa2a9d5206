/** The licences of everything in the binary. The build replaces this file by one that contains them. */
export const licenses: string =
  "This program runs from its sources: its own licence is in LICENSE, those of its packages are in node_modules.\n";
