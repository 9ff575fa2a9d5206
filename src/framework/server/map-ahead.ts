/**
 * The results of `map` in the order of the items. It is called for up to `width` items before the result of the first of
 * them is awaited.
 */
export async function* mapAhead<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const ahead: Promise<R>[] = [];
  for await (const next of withFailure(items)) {
    const result = "reason" in next ? Promise.reject(next.reason) : map(next.item);
    // A failure is thrown when its turn comes, or not at all if the caller has enough before.
    result.catch(() => {});
    ahead.push(result);
    if (ahead.length >= width) yield (await ahead.shift()) as R;
  }
  for (const result of ahead) yield await result;
}

/** A failure of the items themselves is the last of them: results of items before it are not lost. */
async function* withFailure<T>(
  items: AsyncIterable<T> | Iterable<T>,
): AsyncGenerator<{ readonly item: T } | { readonly reason: unknown }> {
  try {
    for await (const item of items) yield { item };
  } catch (reason) {
    yield { reason };
  }
}
