// Whether a document has been trapped for printing, from the words writers use for it.
import type { Trapped } from '../contract/document-metadata.js'
import { lookUp } from '../objects/look-up.js'

const words: Readonly<Record<string, Trapped>> = {
  True: 'true',
  true: 'true',
  False: 'false',
  false: 'false',
  Unknown: 'unknown',
}

/** Null = not said. */
export const trappedOf = (word: string | undefined): Trapped | null => lookUp(words, word) ?? null
