// Parses and formats dates in the notation of form scripts: `mm/dd/yyyy`, `d-mmm-yy`, `HH:MM`.

/** Formats by the number that `AFDate_Format` takes. */
export const dateFormats: readonly string[] = [
  'm/d',
  'm/d/yy',
  'mm/dd/yy',
  'mm/yy',
  'd-mmm',
  'd-mmm-yy',
  'dd-mmm-yy',
  'yy-mm-dd',
  'mmm-yy',
  'mmmm-yy',
  'mmm d, yyyy',
  'mmmm d, yyyy',
  'm/d/yy h:MM tt',
  'm/d/yy HH:MM',
]

const months: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const days: readonly string[] = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const field = /yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|HH|H|hh|h|MM|M|ss|s|tt|t|\\./g

const twoDigits = (value: number): string => String(value).padStart(2, '0')
const hourOfTwelve = (hours: number): number => (hours % 12 === 0 ? 12 : hours % 12)

const writers: Readonly<Record<string, (date: Date) => string>> = {
  yyyy: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  yy: (date) => twoDigits(date.getUTCFullYear() % 100),
  mmmm: (date) => months[date.getUTCMonth()] ?? '',
  mmm: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  mm: (date) => twoDigits(date.getUTCMonth() + 1),
  m: (date) => String(date.getUTCMonth() + 1),
  dddd: (date) => days[date.getUTCDay()] ?? '',
  ddd: (date) => (days[date.getUTCDay()] ?? '').slice(0, 3),
  dd: (date) => twoDigits(date.getUTCDate()),
  d: (date) => String(date.getUTCDate()),
  HH: (date) => twoDigits(date.getUTCHours()),
  H: (date) => String(date.getUTCHours()),
  hh: (date) => twoDigits(hourOfTwelve(date.getUTCHours())),
  h: (date) => String(hourOfTwelve(date.getUTCHours())),
  MM: (date) => twoDigits(date.getUTCMinutes()),
  M: (date) => String(date.getUTCMinutes()),
  ss: (date) => twoDigits(date.getUTCSeconds()),
  s: (date) => String(date.getUTCSeconds()),
  tt: (date) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  t: (date) => (date.getUTCHours() < 12 ? 'a' : 'p'),
}

export const dateText = (date: Date, format: string): string =>
  format.replace(field, (name) => writers[name]?.(date) ?? name.slice(1))

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'
interface Reader {
  readonly pattern: string
  readonly part: Part | 'weekday' | 'half'
}

const readers: Readonly<Record<string, Reader>> = {
  yyyy: { pattern: '\\d{4}', part: 'year' },
  yy: { pattern: '\\d{2}(?:\\d{2})?', part: 'year' },
  mmmm: { pattern: '[A-Za-z]{3,}', part: 'month' },
  mmm: { pattern: '[A-Za-z]{3,}', part: 'month' },
  mm: { pattern: '\\d{1,2}', part: 'month' },
  m: { pattern: '\\d{1,2}', part: 'month' },
  dddd: { pattern: '[A-Za-z]+', part: 'weekday' },
  ddd: { pattern: '[A-Za-z]+', part: 'weekday' },
  dd: { pattern: '\\d{1,2}', part: 'day' },
  d: { pattern: '\\d{1,2}', part: 'day' },
  HH: { pattern: '\\d{1,2}', part: 'hour' },
  H: { pattern: '\\d{1,2}', part: 'hour' },
  hh: { pattern: '\\d{1,2}', part: 'hour' },
  h: { pattern: '\\d{1,2}', part: 'hour' },
  MM: { pattern: '\\d{1,2}', part: 'minute' },
  M: { pattern: '\\d{1,2}', part: 'minute' },
  ss: { pattern: '\\d{1,2}', part: 'second' },
  s: { pattern: '\\d{1,2}', part: 'second' },
  tt: { pattern: '[AaPp][Mm]', part: 'half' },
  t: { pattern: '[AaPp]', part: 'half' },
}

/** Maximum length of a date, and of a format. */
const charactersMax = 128

/** Parses a date in the format of the field or in ISO 8601. Returns undefined if there is no such day or time. */
export function dateFrom(text: string, format: string): Date | undefined {
  if (text.length > charactersMax || format.length > charactersMax) return undefined
  return (
    parseInFormat(text.trim(), format) ??
    parseInFormat(text.trim(), 'yyyy-mm-dd') ??
    parseInFormat(text.trim(), 'yyyy-mm-ddTHH:MM')
  )
}

function parseInFormat(text: string, format: string): Date | undefined {
  const parts: Reader['part'][] = []
  let pattern = ''
  let end = 0
  for (const found of format.matchAll(field)) {
    pattern += literal(format.slice(end, found.index))
    end = found.index + found[0].length
    const reader = readers[found[0]]
    if (reader === undefined) {
      pattern += literal(found[0].slice(1))
      continue
    }
    // A repeated part would be ambiguous, and could make matching exponential.
    if (parts.includes(reader.part)) return undefined
    parts.push(reader.part)
    pattern += `(${reader.pattern})`
  }
  const match = new RegExp(`^${pattern}${literal(format.slice(end))}$`).exec(text)
  if (match === null) return undefined
  const values: Partial<Record<Part, number>> = {}
  let isAfternoon: boolean | undefined
  match.slice(1).forEach((word, index) => {
    const part = parts[index]
    if (part === 'half') isAfternoon = /^p/i.test(word)
    else if (part !== undefined && part !== 'weekday') values[part] = part === 'month' ? monthOf(word) : Number(word)
  })
  return dateOf(values, isAfternoon)
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '\\s+')

function monthOf(word: string): number {
  if (/^\d+$/.test(word)) return Number(word)
  return months.findIndex((name) => name.toLowerCase().startsWith(word.toLowerCase())) + 1
}

/**
 * Returns the date; undefined if it does not exist. Missing parts are those of 1 January 2000, 0:00. Years of two
 * digits from 50 on belong to the last century.
 */
function dateOf(values: Partial<Record<Part, number>>, isAfternoon: boolean | undefined): Date | undefined {
  const { year = 2000, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values
  const fullYear = year < 50 ? year + 2000 : year < 100 ? year + 1900 : year
  const hours = isAfternoon === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0)
  const date = new Date(0)
  date.setUTCFullYear(fullYear, month - 1, day)
  date.setUTCHours(hours, minute, second)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal && hours < 24 && minute < 60 && second < 60 ? date : undefined
}

/** Formats that `AFTime_Format` refers to by index. */
export const timeFormats: readonly string[] = ['HH:MM', 'h:MM tt', 'HH:MM:ss', 'h:MM:ss tt']

/**
 * Parses hours, minutes, and optionally seconds and AM/PM, with any separators. Returns undefined if the text is no
 * time.
 */
export function timeFrom(text: string): Date | undefined {
  if (text.length > charactersMax) return undefined
  const numbers = (text.match(/\d+/g) ?? []).map(Number)
  const [hour, minute, second = 0] = numbers
  if (hour === undefined || minute === undefined || numbers.length > 3) return undefined
  const half = /([ap])\.?\s*m\b/i.exec(text)?.[1]
  return dateOf({ hour, minute, second }, half === undefined || hour > 12 ? undefined : /p/i.test(half))
}
