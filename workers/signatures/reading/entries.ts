// Looks up entries of dictionaries in one revision, following references.
import type { StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictReference, StrictValue } from '../../strict-reader/values.js'
import { dictionaryOf, ofKind } from '../../strict-reader/values-of.js'

/** Returns null for a missing entry. */
export const entryOf = (revision: StrictRevision, dictionary: StrictDictionary | undefined, key: string): StrictValue =>
  revision.resolve(dictionary?.entries.get(key))

export const dictionaryAt = (
  revision: StrictRevision,
  dictionary: StrictDictionary | undefined,
  key: string,
): StrictDictionary | undefined => ofKind(entryOf(revision, dictionary, key), 'dictionary')

/** Returns the elements of an array, without following references; none if the value is not an array. */
export const elementsAt = (
  revision: StrictRevision,
  dictionary: StrictDictionary | undefined,
  key: string,
): readonly StrictValue[] => ofKind(entryOf(revision, dictionary, key), 'array')?.items ?? []

export const referenceAt = (dictionary: StrictDictionary | undefined, key: string): StrictReference | undefined =>
  ofKind(dictionary?.entries.get(key), 'reference')

export const catalogOf = (revision: StrictRevision): StrictDictionary | undefined =>
  dictionaryOf(revision.resolve(revision.trailer.entries.get('Root')))
