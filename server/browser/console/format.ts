// Sizes, counts and times in the language of the reader.
import { locale } from '../shared/language.js'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** `1.4 MB`: multiples of 1000. */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step === 0 ? 0 : 1,
  }).format(bytes / 1000 ** step)
}

export const countText = (count: number): string => new Intl.NumberFormat(locale).format(count)

const times = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** `ms`: milliseconds since 1970. */
export const timeText = (ms: number): string => times.format(ms)

export const percentText = (part: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(part)
