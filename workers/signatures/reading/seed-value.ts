// Reads the seed values of a field (ISO 32000-2, table 237).
import type { SeedValue } from '../../contract/signatures/signature.js'
import type { StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary } from '../../strict-reader/values.js'
import { integerOf, nameOf } from '../../strict-reader/values-of.js'
import { dictionaryAt, elementsAt, entryOf } from './entries.js'
import { textOf } from './text-string.js'

/** Entries in the order of their bits in `/Ff`, from the lowest. */
const flagged = [
  'Filter',
  'SubFilter',
  'V',
  'Reasons',
  'LegalAttestation',
  'AddRevInfo',
  'DigestMethod',
  'LockDocument',
  'AppearanceFilter',
] as const
const unsupported: readonly string[] = ['LegalAttestation', 'AddRevInfo', 'LockDocument', 'AppearanceFilter']
const versionMax = 3
const listMax = 64
const handler = 'Adobe.PPKLite'
const supportedSubFilters: readonly string[] = ['ETSI.CAdES.detached', 'adbe.pkcs7.detached']
const supportedDigests: readonly string[] = ['SHA256', 'SHA384', 'SHA512']

/** Returns null for a field without seed values. */
export function seedValueOf(revision: StrictRevision, field: StrictDictionary): SeedValue | null {
  const seed = dictionaryAt(revision, field, 'SV')
  if (seed === undefined) return null
  const get = (key: string) => entryOf(revision, seed, key)
  const list = (key: string) =>
    elementsAt(revision, seed, key)
      .slice(0, listMax)
      .flatMap((item) => {
        const value = revision.resolve(item)
        return nameOf(value) ?? textOf(value) ?? []
      })
  const requiredFlags = integerOf(get('Ff')) ?? 0
  const isRequired = (key: (typeof flagged)[number]) => ((requiredFlags >>> flagged.indexOf(key)) & 1) === 1
  const has = (key: string) => get(key) !== null
  const version = integerOf(get('V')) ?? null
  const filter = nameOf(get('Filter')) ?? null
  const [subFilters, digestMethods] = [list('SubFilter'), list('DigestMethod')]
  const mdp = [0, 1, 2, 3].find(
    (value) => value === integerOf(entryOf(revision, dictionaryAt(revision, seed, 'MDP'), 'P')),
  )
  const isDemanding = (key: 'Cert' | 'TimeStamp') =>
    (integerOf(entryOf(revision, dictionaryAt(revision, seed, key), 'Ff')) ?? 0) !== 0
  return {
    requiredFlags,
    presentFlags: flagged.reduce((flags, key, bit) => (has(key) ? flags | (1 << bit) : flags), 0),
    version,
    mdp: isMdp(mdp) ? mdp : null,
    filter,
    subFilters,
    digestMethods,
    reasons: list('Reasons'),
    unsupportedRequired:
      (isRequired('Filter') && filter !== null && filter !== handler) ||
      (isRequired('V') && version !== null && version > versionMax) ||
      (isRequired('SubFilter') && has('SubFilter') && !subFilters.some((name) => supportedSubFilters.includes(name))) ||
      (isRequired('DigestMethod') && has('DigestMethod') && !digestMethods.some(isSupportedDigest)) ||
      flagged.some((key) => unsupported.includes(key) && isRequired(key) && has(key)) ||
      isDemanding('Cert') ||
      isDemanding('TimeStamp'),
  }
}

const isSupportedDigest = (digest: string): boolean => supportedDigests.includes(digest.toUpperCase().replace('-', ''))

const isMdp = (value: number | undefined): value is 0 | 1 | 2 | 3 =>
  value === 0 || value === 1 || value === 2 || value === 3
