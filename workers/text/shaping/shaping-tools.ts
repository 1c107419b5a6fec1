// Libraries for the layout of complex text, loaded once per thread when a text first needs them. Drawing is synchronous
// and loading is not, so the first such text ends its job with `ShapingWanted`, and the job is repeated after loading.
import type { Bidi } from 'bidi-js'
import type * as HarfBuzz from 'harfbuzzjs'

export interface ShapingTools {
  readonly harfbuzz: typeof HarfBuzz
  readonly bidi: Bidi
  /**
   * Buffer that is reused for every run, because the library's allocations are released only when JavaScript collects
   * the wrapper.
   */
  readonly buffer: HarfBuzz.Buffer
}

export class ShapingWanted extends Error {
  constructor() {
    super('The text needs the shaping libraries, which are not loaded yet')
  }
}

/** Libraries of this thread: their WebAssembly memory exists once per thread, like the engine's. */
let loaded: ShapingTools | undefined

export function shapingTools(): ShapingTools {
  if (loaded === undefined) throw new ShapingWanted()
  return loaded
}

/** Runs the work; if it needs the libraries, loads them and repeats the work. */
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
  const [harfbuzz, { default: bidi }] = await Promise.all([import('harfbuzzjs'), import('bidi-js')])
  if (!isFactory(bidi)) throw new Error('bidi-js does not export a function')
  return { harfbuzz, bidi: bidi(), buffer: new harfbuzz.Buffer() }
}

/** True if the value is the function itself: the types describe an ES module, but Node loads the CommonJS one. */
const isFactory = (value: unknown): value is () => Bidi => typeof value === 'function'
