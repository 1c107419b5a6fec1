// Entries of the seed values of a field (ISO 32000-2, table 237), and what this program supports of them. The list of
// signatures reads them from the bytes, and signing reads them through the engine.
import type { SigningDigest, SubFilter } from './preparation.js'

/** Entries that can be required, in the order of their bits in `/Ff`, from the lowest. */
export const seedEntries = [
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
export type SeedEntry = (typeof seedEntries)[number]

/** Requirements that only the CMS or a person could meet. */
export const unsupportedEntries = [
  'LegalAttestation',
  'AddRevInfo',
  'LockDocument',
  'AppearanceFilter',
] as const satisfies readonly SeedEntry[]

/** Requirements on certificates and timestamps, which have flags of their own and are not supported. */
export const demandingEntries = ['Cert', 'TimeStamp'] as const

/** Newest version of seed values whose entries this program knows completely. */
export const seedVersionMax = 3

/** Maximum number of elements that are read of a list. */
export const seedListMax = 64

/** Name of the only signature handler. */
export const signatureHandler = 'Adobe.PPKLite'

export const supportedSubFilters: readonly SubFilter[] = ['ETSI.CAdES.detached', 'adbe.pkcs7.detached']

const digestMethods: Readonly<Record<string, SigningDigest>> = { SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' }

/** Returns the digest of a name in `/DigestMethod`, such as `SHA256` or `SHA-256`; undefined if it is not supported. */
export const digestOfMethod = (method: string): SigningDigest | undefined =>
  digestMethods[method.toUpperCase().replace('-', '')]

/** `flags`: value of `/Ff`. */
export const isRequiredEntry = (flags: number, entry: SeedEntry): boolean =>
  ((flags >>> seedEntries.indexOf(entry)) & 1) === 1
