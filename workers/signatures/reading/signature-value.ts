// Reads a signature dictionary (ISO 32000-2, table 255) without judging it.
import type { IsoDate } from '../../contract/iso-date.js'
import { isoOfPdfDate } from '../../contract/pdf-dates.js'
import type { StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictReference } from '../../strict-reader/values.js'
import { integerOf, nameOf, ofKind } from '../../strict-reader/values-of.js'
import { entryOf, referenceAt } from './entries.js'
import type { SignatureField } from './signature-fields.js'
import { textOf } from './text-string.js'

export type ByteRange = readonly [number, number, number, number]

export interface SignatureValue {
  /** Undefined for a dictionary that is stored inline in the field. */
  readonly reference: StrictReference | undefined
  readonly dictionary: StrictDictionary
  readonly kind: 'signature' | 'timestamp'
  readonly filter: string | null
  readonly subFilter: string | null
  /** Value of `/ByteRange`; null if missing, or not four numbers. */
  readonly byteRange: ByteRange | null
  readonly contents: Uint8Array
  /** Certificates in `/Cert`. */
  readonly certificates: readonly Uint8Array[]
  readonly signer: {
    readonly name: string | null
    readonly reason: string | null
    readonly location: string | null
    readonly contactInfo: string | null
    readonly signedAt: IsoDate | null
  }
}

/** Returns undefined for a field that is not signed. */
export function signatureValue(
  revision: StrictRevision,
  { dictionary: field }: SignatureField,
): SignatureValue | undefined {
  const dictionary = ofKind(entryOf(revision, field, 'V'), 'dictionary')
  if (dictionary === undefined) return undefined
  const get = (key: string) => entryOf(revision, dictionary, key)
  const text = (key: string) => textOf(get(key)) ?? null
  const subFilter = nameOf(get('SubFilter')) ?? null
  return {
    reference: referenceAt(field, 'V'),
    dictionary,
    kind: nameOf(get('Type')) === 'DocTimeStamp' || subFilter === 'ETSI.RFC3161' ? 'timestamp' : 'signature',
    filter: nameOf(get('Filter')) ?? null,
    subFilter,
    byteRange: byteRangeOf(revision, dictionary),
    contents: ofKind(get('Contents'), 'string')?.bytes ?? new Uint8Array(),
    certificates: certificatesOf(revision, dictionary),
    signer: {
      name: text('Name'),
      reason: text('Reason'),
      location: text('Location'),
      contactInfo: text('ContactInfo'),
      signedAt: isoOfPdfDate(textOf(get('M'))),
    },
  }
}

function byteRangeOf(revision: StrictRevision, dictionary: StrictDictionary): ByteRange | null {
  const items = ofKind(entryOf(revision, dictionary, 'ByteRange'), 'array')?.items ?? []
  const [first, second, third, fourth] = items.map((item) => integerOf(revision.resolve(item)))
  const isRight =
    items.length === 4 && [first, second, third, fourth].every((number) => number !== undefined && number >= 0)
  return isRight ? [first ?? 0, second ?? 0, third ?? 0, fourth ?? 0] : null
}

function certificatesOf(revision: StrictRevision, dictionary: StrictDictionary): readonly Uint8Array[] {
  const value = entryOf(revision, dictionary, 'Cert')
  const items = ofKind(value, 'array')?.items ?? [value]
  return items.slice(0, 32).flatMap((item) => ofKind(revision.resolve(item), 'string')?.bytes ?? [])
}
