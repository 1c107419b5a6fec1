// Reads entries of the information dictionary that are not standardised.
import type { CustomMetadata } from '../contract/custom-metadata.js'
import type { Reading } from '../document/reading.js'
import { shownName } from '../engine/names.js'
import { readingLimits } from '../objects/reading-limits.js'
import { booleanOf, entriesOf, entry, numberOf } from '../objects/values.js'

const standardKeys: ReadonlySet<string> = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
  'CreationDate',
  'ModDate',
  'Trapped',
])

export const isStandardKey = (key: string): boolean => standardKeys.has(key)

/** Reads the entries. The object is built from entries, not by assignment, because a key may be `__proto__`. */
export const readCustomMetadata = (reading: Reading): CustomMetadata =>
  Object.fromEntries(customEntries(reading).map(({ key, text }) => [shownName(key), text]))

/** Custom metadata entry; `key` is as stored in the file. */
export interface CustomEntry {
  readonly key: string
  readonly text: string
}

export function customEntries(reading: Reading): readonly CustomEntry[] {
  const found: CustomEntry[] = []
  for (const [key, value] of entriesOf(entry(reading.document.trailer, 'Info'), readingLimits.customEntriesMax)) {
    if (isStandardKey(key)) continue
    const text =
      reading.text(value) ?? reading.name(value) ?? numberOf(value)?.toString() ?? booleanOf(value)?.toString()
    if (text !== undefined) found.push({ key: reading.budget.takeText(key), text })
  }
  return found
}
