import type { Call } from "./call.ts";
import type { PrivateState } from "./private-state.ts";

/**
 * Refuses an object of another system than the one at hand: it is neither missing nor what was found there. Remembers where
 * an object is that was found.
 */
export async function checkOrigin(call: Call, privateState: PrivateState, isFound: boolean): Promise<void> {
  const { origin } = call.runtime.provider;
  const api = call.runtime.requireApi();
  if (origin === undefined) return;
  const mode = origin.modeOf(api);
  const stored = privateState.origin;
  if (mode === "ignore") {
    privateState.origin = undefined;
    return;
  }
  if (stored === undefined ? mode !== "remember" || !isFound : mode !== "remember" && isFound) return;
  const here = await origin.of(api);
  if (here === null) return;
  if (stored !== undefined && stored !== here) throw origin.refusal(api);
  privateState.origin = here;
}
