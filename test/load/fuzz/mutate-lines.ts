// Mutations of texts made of lines and words, as YAML and journals are.
import type { Draw } from '../draw.js'
import { mutateBytes } from './mutate-bytes.js'

type Mutation = (lines: readonly string[], draw: Draw) => readonly string[]

const at = (lines: readonly string[], draw: Draw) => draw.below(Math.max(1, lines.length))

const onLines: readonly Mutation[] = [
  (lines, draw) => lines.toSpliced(at(lines, draw), draw.between(1, 3)),
  (lines, draw) => {
    const from = at(lines, draw)
    return lines.toSpliced(at(lines, draw), 0, ...lines.slice(from, from + draw.between(1, 4)))
  },
  (lines, draw) => {
    const from = at(lines, draw)
    const moved = lines.slice(from, from + draw.between(1, 4))
    return lines.toSpliced(from, moved.length).toSpliced(at(lines, draw), 0, ...moved)
  },
  (lines, draw) => {
    const number = at(lines, draw)
    return lines.with(number, indented(lines[number] ?? '', draw))
  },
  (lines, draw) => {
    const number = at(lines, draw)
    return lines.toSpliced(number, 2, `${lines[number] ?? ''}${lines[number + 1] ?? ''}`)
  },
]

function indented(line: string, draw: Draw): string {
  return draw.happens(0.5) ? `${draw.one([' ', '  ', '\t', '    '])}${line}` : line.slice(draw.between(1, 2))
}

/** Replaces, inserts or removes one of the words; `words` are what they are replaced by. */
export function mutateWords(line: string, words: readonly string[], draw: Draw): string {
  const parts = line.split(/(\s+|[:,[\]{}"'])/)
  const index = draw.below(parts.length)
  if (draw.happens(0.2)) return parts.toSpliced(index, 1).join('')
  if (draw.happens(0.3)) return parts.toSpliced(index, 0, draw.one(words)).join('')
  return parts.with(index, draw.one(words)).join('')
}

/** Returns the text with one change of bytes, lines or words. */
export function mutateText(text: string, words: readonly string[], draw: Draw): Buffer {
  if (draw.happens(0.15)) return mutateBytes(Buffer.from(text), draw)
  const lines = text.split('\n')
  if (draw.happens(0.35)) return Buffer.from(draw.one(onLines)(lines, draw).join('\n'))
  const number = at(lines, draw)
  const other = draw.one(lines).trim()
  return Buffer.from(lines.with(number, mutateWords(lines[number] ?? '', [...words, other], draw)).join('\n'))
}
