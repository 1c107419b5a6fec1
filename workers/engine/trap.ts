// Tells errors the engine recovers from (a broken file) from those it does not: a WebAssembly trap or an exhausted stack
// leaves its memory half changed, and every later call in the thread may fail, for good files too.

export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError
}

/** The engine's own clean error, about the file: it comes through the one function that hands errors out of its module. */
export function isEngineError(error: unknown): boolean {
  return error instanceof Error && !isTrap(error) && error.stack?.includes('wasm_rethrow') === true
}

/** Reads what a file may well have wrong; a trap is no answer and goes on, to end the thread. */
export function orElse<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (isTrap(error)) throw error
    return otherwise
  }
}
