// Damaged files that readers repair, each in its own way.
import type { Spec } from './dimensions.js'

type Damage = (text: string) => string

const damages: Readonly<Record<Spec['damage'], Damage>> = {
  sound: (text) => text,
  'offset-content': (text) => displaced(text, /stream[\s\S]*/, 0),
  'offset-font': (text) => displaced(text, /\/Type ?\/Font\b/, 0),
  'offset-annotation': (text) => displaced(text, /\/Subtype ?\/(?:Square|Text)\b/, 0),
  truncated: (text) => text.slice(0, text.lastIndexOf('endobj') - 4),
  // Long enough for the first content stream, encrypted or not.
  'wrong-length': (text) =>
    text.replace(/\/Length (\d+)/, (_whole, digits: string) => `/Length ${'1'.padStart(digits.length, '0')}`),
  'missing-endobj': (text) => {
    const second = text.indexOf('endobj', text.indexOf('endobj') + 1)
    return `${text.slice(0, second)}      ${text.slice(second + 'endobj'.length)}`
  },
}

export const damaged = (bytes: Buffer, damage: Spec['damage']): Buffer =>
  Buffer.from(damages[damage](bytes.toString('latin1')), 'latin1')

/** Shifts the cross-reference offset of the first matching object by a few bytes. */
function displaced(text: string, like: RegExp, from: number): string {
  const object = [...text.slice(from).matchAll(/(?<=\n)\d+ 0 obj\n([\s\S]*?)endobj/g)].find(([, body = '']) =>
    like.test(body),
  )
  if (object === undefined) throw new Error(`No object matches ${like}`)
  const header = text.indexOf('%PDF-')
  const place = String(from + object.index - header).padStart(10, '0')
  // In a file with leading junk, offsets may count from the start of the file or from its header.
  const written = [place, String(from + object.index).padStart(10, '0')].find((digits) =>
    text.includes(`${digits} 00000 n`),
  )
  if (written === undefined) throw new Error(`No cross-reference table contains the offset ${place}`)
  const wrong = String(Number(written) + 7).padStart(10, '0')
  return text.replaceAll(`${written} 00000 n`, `${wrong} 00000 n`)
}
