// Functions for text that several views share.
import { hiddenCharacter } from '../../core/value/hidden-characters.js'

const everyHidden = new RegExp(hiddenCharacter, 'gu')

/**
 * Makes a text from files and providers safe to print on one line: no character moves the cursor, begins a line, rings the
 * bell or changes the direction.
 */
export function visible(text: string): string {
  return text.replace(everyHidden, (character) => {
    if (character === '\r') return ''
    if (character === '\t') return character
    return character === '\n' ? '\\n' : escaped(character.codePointAt(0) ?? 0)
  })
}

/** Makes a text safe to print whose line breaks are meant as such, because nothing of this program follows its lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

function escaped(code: number): string {
  const digits = code.toString(16)
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`
}

/** Returns `1 change` or `2 changes`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Returns `a`, `a and b` or `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** Returns `0.4 s` or `2 min 5 s`. */
export function elapsed(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

const sizeUnits = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const

/** Returns `512 bytes`, `14 kB` or `3 MB`, with as many digits as help to compare. */
export function sized(bytes: number): string {
  if (bytes < 1000) return countOf(bytes, 'byte')
  const [unit, size] = sizeUnits.find(([, least]) => bytes >= least) ?? ['byte', 1]
  return `${(bytes / size).toFixed(bytes < 10 * size ? 1 : 0)} ${unit}`
}

/** Prefixes every line of the text. */
export function indented(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : prefix + line))
    .join('\n')
}

export interface ColumnsOptions {
  /** Width of the terminal in columns; undefined if the last column is not wrapped. */
  readonly width?: number
  /** Colours the first column. */
  readonly paint?: (text: string) => string
}

/** Minimum width of the last column. If less is left for it, the last cell moves below the others. */
const lastColumnMin = 24

/** Aligns rows in columns, two blanks apart; the last column is not padded. */
export function columns(
  rows: readonly (readonly string[])[],
  indent = '',
  { width = Number.POSITIVE_INFINITY, paint = (text) => text }: ColumnsOptions = {},
): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  }
  return rows
    .map((row) => {
      const cells = row.slice(0, -1).map((cell, index) => {
        const blanks = ' '.repeat(Math.max(0, (widths[index] ?? 0) - cell.length))
        return (index === 0 ? paint(cell) : cell) + blanks
      })
      const before = indent.length + cells.reduce((sum, _, index) => sum + (widths[index] ?? 0) + 2, 0)
      const isBelow = width - before < lastColumnMin
      const hanging = isBelow ? `${indent}    ` : ' '.repeat(before)
      const last = wrapped(row.at(-1) ?? '', width, hanging)
      const head = indent + cells.join('  ')
      if (cells.length === 0) return indent + last.trimStart()
      return isBelow ? `${head.trimEnd()}\n${last}` : `${head}  ${last.slice(hanging.length)}`.trimEnd()
    })
    .join('\n')
}

/**
 * Breaks text between words into lines of at most `width` columns, each with the prefix. A longer word is not broken.
 */
export function wrapped(text: string, width: number, prefix = ''): string {
  const room = Math.max(20, width - prefix.length)
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line !== '' && line.length + 1 + word.length > room) {
        lines.push(line)
        line = word
      } else {
        line = line === '' ? word : `${line} ${word}`
      }
    }
    lines.push(line)
  }
  return lines.map((line) => (line === '' ? '' : prefix + line)).join('\n')
}
