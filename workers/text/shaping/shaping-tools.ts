// The library that shapes complex text, loaded once per thread when a text first needs it. Drawing is synchronous and
// loading is not, so the first such text ends its job with `ShapingWanted`, and the job is repeated after loading.
import type * as HarfBuzz from 'harfbuzzjs'

export interface ShapingTools {
  readonly harfbuzz: typeof HarfBuzz
  /**
   * Buffer that is reused for every run, because the library's allocations are released only when JavaScript collects
   * the wrapper.
   */
  readonly buffer: HarfBuzz.Buffer
}

export class ShapingWanted extends Error {
  constructor() {
    super('The text needs the shaping library, which is not loaded yet')
  }
}

/** The library of this thread: its WebAssembly memory exists once per thread, like the engine's. */
let loaded: ShapingTools | undefined

export function shapingTools(): ShapingTools {
  if (loaded === undefined) throw new ShapingWanted()
  return loaded
}

/** Runs the work; if it needs the library, loads it and repeats the work. */
export async function withShaping<Result>(work: () => Result): Promise<Result> {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ShapingWanted)) throw error
    loaded ??= await load()
    return work()
  }
}

async function load(): Promise<ShapingTools> {
  const harfbuzz = await import('harfbuzzjs')
  return { harfbuzz, buffer: new harfbuzz.Buffer() }
}
