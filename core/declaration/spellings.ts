// Forms in which a value may be repeated by another program: escaped, encoded, truncated, or a single line of it.
import { declarationLimits } from './limits.js'

/**
 * Minimum length of a line, or of base64 text, that counts as part of a secret. Shorter ones may be part of any text.
 */
const pieceLengthMin = 8

/** Returns every text that reveals the value. */
export function spellingsOf(value: string): readonly string[] {
  const lines = value.split(/[\r\n]+/).map((line) => line.trim())
  const whole = [value, value.trim(), value.replaceAll('\r', ''), value.replaceAll(/\s+/g, ' ').trim()]
  const texts = [...whole, ...(lines.length > 1 ? lines.filter((line) => line.length >= pieceLengthMin) : [])]
  const spelled = texts.flatMap((text) => [text, text.toLowerCase()].flatMap(escaped))
  return [...new Set([...spelled, ...base64(value)])].filter(
    ({ length }) => length >= declarationLimits.maskedLengthMin,
  )
}

/** Replaces the rest of a value that was cut off: its first characters at the end of the text, or before `…`. */
export function cutShort(text: string, needles: readonly string[], put: string): string {
  if (!text.includes('…')) return text
  const [last = '', ...before] = text.split('…').reverse()
  const pieces = before.map((piece) => {
    const begun = needles.map((needle) => beginningAtEnd(piece, needle))
    return piece.slice(0, piece.length - Math.max(0, ...begun)) + (begun.some((length) => length > 0) ? put : '')
  })
  return [...pieces.reverse(), last].join('…')
}

/**
 * Returns the number of characters at the end of the text that are the beginning of the value; 0 if they are too few.
 */
function beginningAtEnd(text: string, needle: string): number {
  for (let length = Math.min(needle.length - 1, text.length); length >= declarationLimits.maskedLengthMin; length--)
    if (text.endsWith(needle.slice(0, length))) return length
  return 0
}

function escaped(text: string): readonly string[] {
  const json = inJson(text)
  // An unpaired surrogate cannot be encoded.
  const wellFormed = new TextDecoder().decode(new TextEncoder().encode(text))
  return [
    text,
    json,
    inJson(json), // Spelling inside a request that an answer quotes as JSON.
    json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeURIComponent(wellFormed),
    encodeURI(wellFormed),
    new URLSearchParams([['', wellFormed]]).toString().slice(1),
    text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character),
  ]
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Returns the base64 forms of a value inside a longer text: it begins at one of three offsets in a group of three
 * bytes, and characters shared with neighbours are left out.
 */
function base64(value: string): readonly string[] {
  const texts = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
    const text = bytes.toString('base64').replaceAll('=', '')
    return text.slice(shift === 0 ? 0 : shift + 1, bytes.length % 3 === 0 ? undefined : -1)
  })
  const long = texts.filter(({ length }) => length >= pieceLengthMin)
  return [...long, ...long.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))]
}
