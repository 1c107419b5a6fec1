// Reads the text that an appearance stream shows, where no font program is needed to decode it.

import type { StrictStream, StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, integerOf, nameOf } from '../../../strict-reader/values-of.js'
import { analysisLimits } from '../analysis-limits.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, itemsOf } from '../compare/slot.js'
import { contentOperations, type Operation } from './content-operations.js'

export interface ShownText {
  /** Undefined if a font or its encoding cannot be decoded. */
  readonly text: string | undefined
  /** The stream draws more than text and lines, such as a picture, another form or a shading, or hides text. */
  readonly isForeign: boolean
}

const foreign = new Set(['Do', 'BI', 'sh'])
const showing = new Set(['Tj', 'TJ', "'", '"'])

export function shownText(comparison: Comparison, stream: StrictStream): ShownText {
  const bytes = comparison.document.decodedBytes(stream)
  if (bytes.length > analysisLimits.appearanceBytesMax) return { text: undefined, isForeign: false }
  const operations = contentOperations(bytes)
  if (operations === undefined) return { text: undefined, isForeign: true }
  if (operations.some(isForeign)) return { text: undefined, isForeign: true }
  let isReadable = false
  let text: string | undefined = ''
  for (const { operator, operands } of operations) {
    if (operator === 'Tf') isReadable = isPlainFont(comparison, stream, operands[0])
    if (!showing.has(operator) || text === undefined) continue
    const shown: string = operands.flatMap((operand) => (operand.kind === 'text' ? [operand.text] : [])).join('')
    text = isReadable && /^[\x20-\x7e\r\n\t]*$/.test(shown) ? text + shown : undefined
  }
  return { text, isForeign: false }
}

function isForeign({ operator, operands }: Operation): boolean {
  const [mode] = operands
  const isInvisible = operator === 'Tr' && mode?.kind === 'other' && mode.token !== '0'
  return foreign.has(operator) || isInvisible
}

/** True for a simple font whose codes 32 to 126 are ASCII. */
function isPlainFont(comparison: Comparison, stream: StrictStream, operand: Operation['operands'][number] | undefined) {
  if (operand?.kind !== 'other') return false
  const resolve = (value: StrictValue | undefined) => comparison.after.resolve(value)
  const fonts = resolve(entryOf(resolve(entryOf(stream, 'Resources')), 'Font'))
  const font = resolve(entryOf(fonts, operand.token.slice(1)))
  if (!['Type1', 'TrueType'].includes(nameOf(resolve(entryOf(font, 'Subtype'))) ?? '')) return false
  const encoding = resolve(entryOf(font, 'Encoding'))
  if (encoding === null) return true
  if (dictionaryOf(encoding) === undefined) return nameOf(encoding) !== 'MacExpertEncoding'
  return !remapsAscii(itemsOf(resolve(entryOf(encoding, 'Differences'))))
}

function remapsAscii(differences: readonly StrictValue[]): boolean {
  let code = 0
  for (const item of differences) {
    const start = integerOf(item)
    if (start !== undefined) code = start
    else {
      if (code > 32 && code < 127) return true
      code += 1
    }
  }
  return false
}
