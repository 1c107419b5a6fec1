// Normalises requested members to values that a PDF can store: dates to the second, and null for empty text. Throws
// `InvalidArg` for dates that do not exist.

import { JobRefusal } from '../../contract/job-refusal.js'
import { isoOfPdfDate } from '../../contract/pdf-dates.js'
import { pdfDateOfIso } from '../../objects/written-dates.js'
import type { Members } from './information.js'

const dates = ['createdAt', 'modifiedAt']

export const tidyPatch = (patch: Members): Members =>
  Object.fromEntries(
    Object.entries(patch).map(([member, value]) => [
      member,
      value === '' || value === null ? null : tidy(member, value),
    ]),
  )

function tidy(member: string, value: string): string {
  if (!dates.includes(member)) return value
  const written = isoOfPdfDate(pdfDateOfIso(value))
  if (written === null) throw new JobRefusal('InvalidArg', `${member} is not a date that a PDF can store`, { member })
  return written
}
