// Finds phone numbers by their form, because they have no checksum: international ones (ITU-T E.164) that begin with +
// or 00, national ones that begin with 0, and those of North America in groups of 3, 3 and 4 digits. A number is in one
// line.
import { RE2JS } from 're2js'
import { type FindSpans, isPartOfWord } from './preset-pattern.js'

const gap = String.raw`[ \x{a0}\x{202f}./-]`
const international = String.raw`(?:\+ ?|00)[1-9][0-9]{0,2}(?:${gap}{0,2}\(?[0-9]{1,9}\)?){1,7}`
const national = String.raw`\(?0[1-9][0-9]{0,4}\)?(?:${gap}{1,3}[0-9]{2,9}){1,5}|0[1-9][0-9]{7,11}`
const northAmerican = String.raw`(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-. ])[0-9]{3}[-. ][0-9]{4}`
const written = RE2JS.compile(`${international}|${northAmerican}|${national}`)

const digitsMin = 7
const digitsMax = 15
const date = /^[0-9]{1,2}([./-])[0-9]{1,2}\1(?:[0-9]{2}|[0-9]{4})$/

export const phoneNumbers: FindSpans = function* (text) {
  const matcher = written.matcher(text)
  while (matcher.find()) {
    const span = [matcher.start(), matcher.end()] as const
    const found = text.slice(...span)
    const digits = found.replace(/[^0-9]/g, '').length
    if (digits < digitsMin || digits > digitsMax || date.test(found) || isPartOfWord(text, span)) continue
    yield span
  }
}
