// Parses dates of PDF (ISO 32000-2, 7.9.4: `D:20260131120000+01'00'`) and XMP into ISO 8601 with an offset.
import type { IsoDate } from './iso-date.js'

const pdfDate = /^\s*(?:D:)?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:([Zz])|([+-])(\d\d)'?(?:(\d\d)'?)?)?/
const xmpDate =
  /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?)?)?\s*(?:([Zz])|([+-])(\d\d):?(\d\d)?)?\s*$/
/** Maximum length of a date. */
const dateCharactersMax = 64

export const isoOfPdfDate = (text: string | undefined): IsoDate | null => parse(text, pdfDate)
export const isoOfXmpDate = (text: string | undefined): IsoDate | null => parse(text, xmpDate)

function parse(text: string | undefined, pattern: RegExp): IsoDate | null {
  if (text === undefined || text.length > dateCharactersMax) return null
  const match = pattern.exec(text)
  if (match === null) return null
  const [, year = '', month = '01', day = '01', hour = '00', minute = '00', second = '00', , sign, ...offset] = match
  const [offsetHours = '00', offsetMinutes = '00'] = offset
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  // The zone of a time without an offset is unknown; the contract requires one, so UTC is assumed.
  const zone = sign === undefined ? 'Z' : `${sign}${offsetHours}:${offsetMinutes}`
  const isDay = Number(year) > 0 && isCalendarDate(Number(year), Number(month), Number(day))
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const isZone = Number(offsetHours) < 24 && Number(offsetMinutes) < 60
  return isDay && isTime && isZone ? local + (zone === '+00:00' || zone === '-00:00' ? 'Z' : zone) : null
}

function isCalendarDate(year: number, month: number, day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
