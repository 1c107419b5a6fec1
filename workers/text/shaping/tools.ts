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

/** Of this thread, like the engine: WebAssembly memory cannot be had twice. */
let loaded: ShapingTools | undefined

export function shapingTools(): ShapingTools {
  if (loaded === undefined) throw new ShapingWanted()
  return loaded
}

/** What it did before it found that it needs shaping must not count: it is done all over. */
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

/** Its types speak of an ES module, but Node takes its CommonJS one, where the function itself is what is exported. */
const isFactory = (value: unknown): value is () => Bidi => typeof value === 'function'
