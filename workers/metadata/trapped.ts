// Parses whether a document has been trapped for printing, from the values writers use.
import type { Trapped } from '../contract/document-metadata.js'
import { lookUp } from '../objects/look-up.js'

const words: Readonly<Record<string, Trapped>> = {
  True: 'true',
  true: 'true',
  False: 'false',
  false: 'false',
  Unknown: 'unknown',
}

/** Returns null if the value is missing or unknown. */
export const trappedOf = (word: string | undefined): Trapped | null => lookUp(words, word) ?? null
