// Reasons why documents cannot be read, in the language of the reader.
import { type TextName, text } from '../texts.js'

const reasons: Readonly<Record<string, TextName>> = {
  empty: 'failedEmpty',
  'not-a-pdf': 'failedNotPdf',
  truncated: 'failedTruncated',
  damaged: 'failedDamaged',
  'no-pages': 'failedNoPages',
  'too-many-pages': 'failedTooManyPages',
  'upload-expired': 'failedExpired',
}

export function failureText(reason: string | null): string {
  const known = reasons[reason ?? '']
  return known === undefined ? text('failedOtherwise', { reason: reason ?? '?' }) : text(known)
}
