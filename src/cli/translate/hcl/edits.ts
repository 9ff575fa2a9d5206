/** A part of a text, and what takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A part of a text with all edits in it; of edits within each other, the outer one counts. */
export function applyEdits(text: string, edits: readonly Edit[], start = 0, end = text.length): string {
  const within = edits
    .filter((edit) => edit.start >= start && edit.end <= end)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let result = "";
  let place = start;
  for (const edit of within) {
    if (edit.start < place) continue;
    result += text.slice(place, edit.start) + edit.text;
    place = edit.end;
  }
  return result + text.slice(place, end);
}
