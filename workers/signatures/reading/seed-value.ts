// Reads the seed values of a field (ISO 32000-2, table 237).
import {
  demandingEntries,
  digestOfMethod,
  isRequiredEntry,
  type SeedEntry,
  seedEntries,
  seedListMax,
  seedVersionMax,
  signatureHandler,
  supportedSubFilters,
  unsupportedEntries,
} from '../../contract/signatures/seed-entries.js'
import type { SeedValue } from '../../contract/signatures/signature.js'
import type { StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary } from '../../strict-reader/values.js'
import { integerOf, nameOf } from '../../strict-reader/values-of.js'
import { dictionaryAt, elementsAt, entryOf } from './entries.js'
import { textOf } from './text-string.js'

/** Returns null for a field without seed values. */
export function seedValueOf(revision: StrictRevision, field: StrictDictionary): SeedValue | null {
  const seed = dictionaryAt(revision, field, 'SV')
  if (seed === undefined) return null
  const get = (key: string) => entryOf(revision, seed, key)
  const list = (key: string) =>
    elementsAt(revision, seed, key)
      .slice(0, seedListMax)
      .flatMap((item) => {
        const value = revision.resolve(item)
        return nameOf(value) ?? textOf(value) ?? []
      })
  const requiredFlags = integerOf(get('Ff')) ?? 0
  const isRequired = (key: SeedEntry) => isRequiredEntry(requiredFlags, key)
  const has = (key: string) => get(key) !== null
  const version = integerOf(get('V')) ?? null
  const filter = nameOf(get('Filter')) ?? null
  const [subFilters, digestMethods] = [list('SubFilter'), list('DigestMethod')]
  const mdp = [0, 1, 2, 3].find(
    (value) => value === integerOf(entryOf(revision, dictionaryAt(revision, seed, 'MDP'), 'P')),
  )
  const isDemanding = (key: (typeof demandingEntries)[number]) =>
    (integerOf(entryOf(revision, dictionaryAt(revision, seed, key), 'Ff')) ?? 0) !== 0
  return {
    requiredFlags,
    presentFlags: seedEntries.reduce((flags, key, bit) => (has(key) ? flags | (1 << bit) : flags), 0),
    version,
    mdp: isMdp(mdp) ? mdp : null,
    filter,
    subFilters,
    digestMethods,
    reasons: list('Reasons'),
    unsupportedRequired:
      (isRequired('Filter') && filter !== null && filter !== signatureHandler) ||
      (isRequired('V') && version !== null && version > seedVersionMax) ||
      (isRequired('SubFilter') && has('SubFilter') && !subFilters.some(isSupportedSubFilter)) ||
      (isRequired('DigestMethod') &&
        has('DigestMethod') &&
        digestMethods.every((method) => digestOfMethod(method) === undefined)) ||
      unsupportedEntries.some((key) => isRequired(key) && has(key)) ||
      demandingEntries.some(isDemanding),
  }
}

const isSupportedSubFilter = (name: string): boolean => supportedSubFilters.some((supported) => supported === name)

const isMdp = (value: number | undefined): value is 0 | 1 | 2 | 3 =>
  value === 0 || value === 1 || value === 2 || value === 3
