// Cron expressions with five fields and time zones (agent configuration 2.16), restricted to the syntax that the
// schedulers of all providers support.
import { Cron } from 'croner'

const fieldNames = ['minute', 'hour', 'day of the month', 'month', 'day of the week'] as const

/**
 * Pattern of one field: numbers, names of months and weekdays, `*`, lists, ranges and steps, but not `L`, `W`, `#` or
 * `?`, which few schedulers support.
 */
const field = /^(\*|\d+|[A-Za-z]{3})(-(\d+|[A-Za-z]{3}))?(\/\d+)?(,(\*|\d+|[A-Za-z]{3})(-(\d+|[A-Za-z]{3}))?(\/\d+)?)*$/

/**
 * Time from which the next match is searched. It is fixed, so that the result is the same on every run, and every leap
 * day matches.
 */
const searchFrom = new Date('2024-01-01T00:00:00Z')

/** Returns why the expression never fires; undefined if it does. */
export function cronFault(expression: string): string | undefined {
  const text = expression.trim()
  if (/[^\S ]| {2}/.test(text) || text !== expression)
    return 'Some schedulers refuse it: there must be one blank between two fields, no tab, and none at the ends.'
  if (text.startsWith('@')) return `Nicknames such as ${text} are not understood everywhere; five fields are.`
  const fields = text.split(/\s+/)
  if (fields.length !== fieldNames.length) {
    const seconds = fields.length === 6 ? ' There is no field for seconds.' : ''
    return `It has ${fields.length} field${fields.length === 1 ? '' : 's'} and needs five: ${fieldNames.join(', ')}.${seconds}`
  }
  const index = fields.findIndex((part) => !field.test(part))
  if (index >= 0) return `"${fields[index]}" cannot be the ${fieldNames[index]}.`
  try {
    const next = new Cron(text, { paused: true, mode: '5-part', timezone: 'UTC' }).nextRun(searchFrom)
    return next ? undefined : 'No date matches it, so it would never run.'
  } catch (error) {
    return error instanceof Error ? `${error.message.replace(/^CronPattern: /, '')}.`.replace('..', '.') : String(error)
  }
}

/** True for a name of the IANA time zone database. Offsets such as `+02:00` know no summer time and are refused. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
