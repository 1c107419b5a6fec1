// The libraries that lay out complex text: loaded once per thread, when the first text needs them. Drawing is synchronous
// and loading is not, so the first text ends its job with `ShapingWanted`, and the job runs again when they are there.
import type { Bidi } from 'bidi-js'
import type * as HarfBuzz from 'harfbuzzjs'

export interface ShapingTools {
  readonly harfbuzz: typeof HarfBuzz
  readonly bidi: Bidi
  /** Used again for every run: what the library allocates goes back only when JavaScript collects its wrapper. */
  readonly buffer: HarfBuzz.Buffer
}

export class ShapingWanted extends Error {
  constructor() {
    super('The text needs shaping, which is not loaded yet')
  }
}

/** Libraries of this thread: their WebAssembly memory exists once per thread, like the engine's. */
let loaded: ShapingTools | undefined

export function shapingTools(): ShapingTools {
  if (loaded === undefined) throw new ShapingWanted()
  return loaded
}

/** Runs the work, and again from the beginning if it turns out to need the libraries, which are loaded in between. */
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
  if (!isFactory(bidi)) throw new Error('bidi-js is not the package this program is made for')
  return { harfbuzz, bidi: bidi(), buffer: new harfbuzz.Buffer() }
}

/** True for the function itself: the types describe an ES module, but Node loads the CommonJS one. */
const isFactory = (value: unknown): value is () => Bidi => typeof value === 'function'
