// Distinguishes errors the engine recovers from (a broken file) from fatal ones: a WebAssembly trap or an exhausted
// stack leaves its memory inconsistent, and every later call in the thread may fail, for good files too.

export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError
}

/**
 * True for an error about the file that the engine itself reports: all of them pass through one function of its module.
 */
export function isEngineError(error: unknown): boolean {
  return error instanceof Error && !isTrap(error) && error.stack?.includes('wasm_rethrow') === true
}

/**
 * Reads a value that is often wrong in files, and returns `otherwise` if that fails. A trap is rethrown, to end the
 * thread.
 */
export function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (isTrap(error)) throw error
    return otherwise
  }
}
