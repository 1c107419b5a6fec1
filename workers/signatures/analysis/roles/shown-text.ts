// Reads the text that an appearance stream shows, where no font program is needed to decode it.

import type { StrictStream, StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, integerOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { analysisLimits } from '../analysis-limits.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, itemsOf } from '../compare/slot.js'
import { contentOperations, type Operation } from './content-operations.js'
import { type PaintedPaths, paintedPaths } from './painted-paths.js'

export interface ShownText {
  /** Undefined if a font or its encoding cannot be decoded. */
  readonly text: string | undefined
  /**
   * True if the stream draws more than text and lines, such as a picture, another form, a shading or a pattern, or if
   * it hides text.
   */
  readonly isForeign: boolean
  /** True if texts follow one another from left to right and from top to bottom. */
  readonly isInOrder: boolean
  readonly paths: PaintedPaths
}

const foreignText: ShownText = {
  text: undefined,
  isForeign: true,
  isInOrder: false,
  paths: { covered: () => 1, isFrame: false },
}

const foreign = new Set(['Do', 'BI', 'sh'])
const showing = new Set(['Tj', 'TJ', "'", '"'])

export function shownText(comparison: Comparison, stream: StrictStream): ShownText {
  const bytes = comparison.document.decodedBytes(stream)
  if (bytes.length > analysisLimits.appearanceBytesMax) return { ...foreignText, isForeign: false }
  const operations = contentOperations(bytes)
  if (operations === undefined) return foreignText
  if (operations.some((operation) => isForeign(comparison, stream, operation))) return foreignText
  let isReadable = false
  let text: string | undefined = ''
  for (const { operator, operands } of operations) {
    if (operator === 'Tf') isReadable = isPlainFont(comparison, stream, operands[0])
    if (!showing.has(operator) || text === undefined) continue
    const shown: string = operands.flatMap((operand) => (operand.kind === 'text' ? [operand.text] : [])).join('')
    text = isReadable && /^[\x20-\x7e\r\n\t]*$/.test(shown) ? text + shown : undefined
  }
  return {
    text,
    isForeign: false,
    isInOrder: isInOrder(operations),
    paths: paintedPaths(comparison, stream, operations),
  }
}

function isForeign(comparison: Comparison, stream: StrictStream, { operator, operands }: Operation): boolean {
  const last = operands.at(-1)
  const token = last?.kind === 'other' ? last.token : ''
  const isInvisible = operator === 'Tr' && token !== '0'
  const isPattern = (operator === 'scn' || operator === 'SCN') && token.startsWith('/')
  return foreign.has(operator) || isInvisible || isPattern || (operator === 'gs' && isMask(comparison, stream, token))
}

/** True for a graphics state with a mask, which can give a filled area any look. */
function isMask(comparison: Comparison, stream: StrictStream, name: string): boolean {
  const mask = comparison.after.resolve(entryOf(resource(comparison, stream, 'ExtGState', name), 'SMask'))
  return mask !== null && nameOf(mask) !== 'None'
}

/** Space between characters in thousandths of the font size, above which texts may change places. */
const kerningMax = 300

function isInOrder(operations: readonly Operation[]): boolean {
  const matrices = operations.filter(({ operator }) => operator === 'Tm')
  return matrices.length <= 1 && matrices.every(isUpright) && operations.every(isForward)
}

const isUpright = ({ operands }: Operation): boolean => numberAt(operands, 0) > 0 && numberAt(operands, 3) > 0

function isForward({ operator, operands }: Operation): boolean {
  if (operator === 'Td' || operator === 'TD') {
    return numberAt(operands, 1) < 0 || numberAt(operands, 0) >= 0
  }
  if (operator === 'TJ') return operands.every((_, index) => Math.abs(numberAt(operands, index)) <= kerningMax)
  if (operator === 'Tz') return numberAt(operands, 0) > 0
  return operator !== 'Tc' || Math.abs(numberAt(operands, 0)) < 1
}

function numberAt(operands: Operation['operands'], index: number): number {
  const operand = operands[index]
  return operand?.kind === 'other' ? Number(operand.token) || 0 : 0
}

function resource(comparison: Comparison, stream: StrictStream, category: string, name: string): StrictValue {
  const resolve = (value: StrictValue | undefined) => comparison.after.resolve(value)
  const resources = resolve(entryOf(resolve(entryOf(stream, 'Resources')), category))
  return entryOf(resources, name.slice(1)) ?? null
}

/** True for a simple font whose codes 32 to 126 are ASCII. */
function isPlainFont(comparison: Comparison, stream: StrictStream, operand: Operation['operands'][number] | undefined) {
  if (operand?.kind !== 'other') return false
  const resolve = (value: StrictValue | undefined) => comparison.after.resolve(value)
  const named = resource(comparison, stream, 'Font', operand.token)
  const font = resolve(named)
  if (hasOwnGlyphs(comparison, font) && isChanged(comparison, named)) return false
  if (!['Type1', 'TrueType'].includes(nameOf(resolve(entryOf(font, 'Subtype'))) ?? '')) return false
  const encoding = resolve(entryOf(font, 'Encoding'))
  if (encoding === null) return true
  if (dictionaryOf(encoding) === undefined) return nameOf(encoding) !== 'MacExpertEncoding'
  return !remapsAscii(itemsOf(resolve(entryOf(encoding, 'Differences'))))
}

/** True for an embedded font, or one of symbols, whose glyphs need not look like the characters of their codes. */
function hasOwnGlyphs(comparison: Comparison, font: StrictValue): boolean {
  const descriptor = dictionaryOf(comparison.after.resolve(entryOf(font, 'FontDescriptor')))
  const isEmbedded = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.entries.has(key))
  const name = nameOf(comparison.after.resolve(entryOf(font, 'BaseFont'))) ?? ''
  return isEmbedded || /symbol|dingbats|webdings/i.test(name)
}

const isChanged = (comparison: Comparison, font: StrictValue): boolean => {
  const reference = ofKind(font, 'reference')
  return reference === undefined || comparison.changes.has(reference.number)
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
