// Warns of values in `.env` that end sooner than they seem to: without quotes, `#` begins a comment even inside a word.
import type { Diagnostic } from '../diagnostic.js'
import { problems } from './problems.js'
import { SourceText } from './source-text.js'

export interface DotenvText {
  /** Path shown in messages. */
  readonly shownAs: string
  readonly text: string
  /** Values parsed from the file. */
  readonly values: ReadonlyMap<string, string>
}

// The parts of the pattern match disjoint sets of characters, so that a hostile file costs one pass only.
const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*[=:]([^#]*)#/

/** Returns one warning for every used variable whose value was cut, at the `#` that cut it. */
export function warnOfCuts(
  { shownAs, text, values }: DotenvText,
  isUsed: (name: string) => boolean,
): readonly Diagnostic[] {
  const source = new SourceText(shownAs, text)
  const cuts = new Map<string, readonly [valueStart: number, hash: number, lineEnd: number]>()
  let lineStart = 0
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [found = '', name = '', before = ''] = assignment.exec(line) ?? []
    // A `#` in quotes begins no comment, and a `#` after a blank is meant as one.
    if (found !== '' && isUsed(name) && !/\s$/.test(before) && values.get(name) === before.trim()) {
      const hash = lineStart + found.length - 1
      cuts.set(name, [hash - before.length, hash, lineStart + line.length])
    }
    lineStart += line.length + (text.startsWith('\r\n', lineStart + line.length) ? 2 : 1)
  }
  for (const [valueStart, , lineEnd] of cuts.values()) source.hide([valueStart, lineEnd])
  return [...cuts].map(([name, [, hash, lineEnd]]) => ({
    code: 'variable.cut-at-hash',
    ...problems['variable.cut-at-hash'],
    detail: `The value of ${name} ends before the #, and the rest of the line is read as a comment.`,
    place: source.place([hash, lineEnd]),
  }))
}
