// The Unicode bidirectional algorithm (UAX 9). Its tables are made when a thread first needs them.
import createBidi, { type Bidi } from 'bidi-js'

let made: Bidi | undefined

export function bidi(): Bidi {
  made ??= make(createBidi)
  return made
}

function make(factory: unknown): Bidi {
  if (!isFactory(factory)) throw new Error('bidi-js does not export a function')
  return factory()
}

/** True if the value is the function itself: the types describe an ES module, but Node loads the CommonJS one. */
const isFactory = (value: unknown): value is () => Bidi => typeof value === 'function'
