// Formats ISO 8601 dates with an offset as PDF dates (ISO 32000-2, 7.9.4).
import type { IsoDate } from '../contract/iso-date.js'
import { isoOfPdfDate } from '../contract/pdf-dates.js'

const isoDate = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:([Zz])|([+-])(\d\d):(\d\d))$/

/** Returns a date to the second, the precision of PDF; undefined if the date does not exist. */
export function pdfDateOfIso(iso: IsoDate): string | undefined {
  const match = isoDate.exec(iso)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, utc, sign, offsetHours, offsetMinutes] = match
  const zone = utc === undefined ? `${sign}${offsetHours}'${offsetMinutes}'` : 'Z'
  const text = `D:${year}${month}${day}${hour}${minute}${second}${zone}`
  return isoOfPdfDate(text) === null ? undefined : text
}
