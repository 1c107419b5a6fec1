// Where readers draw an appearance. They scale it to the rectangle of the annotation; without an area on both sides there is
// nothing to scale, and some draw it in its own size, others over the whole page.

import type { StrictRevision } from '../../../strict-reader/strict-document.js'
import type { StrictStream, StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, itemsOf } from '../compare/slot.js'
import { contentOperations, type Operation } from './content-operations.js'

/** Operators that draw nothing by themselves. */
const drawless = new Set(
  'q Q cm w J j M d ri i gs m l c v y h re n W W* BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T* CS cs SC SCN sc scn G g RG rg K k MP DP BMC BDC EMC BX EX'.split(
    ' ',
  ),
)
/** Forms within one another that are read; deeper ones count as drawn. */
const formDepthMax = 8

/** Returns why some readers may draw the appearance outside the rectangle of the annotation; undefined if none does. */
export function placeProblem(comparison: Comparison, annotation: StrictValue | undefined): string | undefined {
  const { after } = comparison
  if (entryOf(annotation, 'Subtype') === undefined) return undefined
  const area = areaOf(after, entryOf(annotation, 'Rect'))
  // Some draw a placeholder over the page, whatever the appearance is.
  if (area === undefined) return 'The rectangle is not four numbers'
  const streams = appearanceStreams(after, entryOf(annotation, 'AP')).filter((stream) => draws(comparison, stream))
  const boxes = streams.map((stream) => areaOf(after, entryOf(stream, 'BBox')))
  if (boxes.includes(undefined)) return 'The box of the appearance is not four numbers'
  if (area === 0) {
    return boxes.every((box) => box === 0) ? undefined : 'The appearance has an area, and the annotation has none'
  }
  const isScalable = boxes.every((box) => box !== 0) && streams.every((stream) => hasInverse(after, stream))
  return isScalable ? undefined : 'The appearance has no area, and the annotation has one'
}

/** Returns the area of a rectangle in square units; undefined unless it is four numbers. */
export function areaOf(revision: StrictRevision, value: StrictValue | undefined): number | undefined {
  const numbers = numbersIn(revision, value)
  const [left, bottom, right, top] = numbers
  if (numbers.length !== 4 || left === undefined || bottom === undefined || right === undefined || top === undefined) {
    return undefined
  }
  return Math.abs((right - left) * (top - bottom))
}

function numbersIn(revision: StrictRevision, value: StrictValue | undefined): readonly (number | undefined)[] {
  return itemsOf(revision.resolve(value)).map((item) => {
    const number = revision.resolve(item)
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined
  })
}

function hasInverse(revision: StrictRevision, stream: StrictStream): boolean {
  const value = entryOf(stream, 'Matrix')
  if (value === undefined) return true
  const numbers = numbersIn(revision, value)
  const [a, b, c, d] = numbers
  if (numbers.length !== 6 || numbers.includes(undefined)) return false
  return (a ?? 0) * (d ?? 0) !== (b ?? 0) * (c ?? 0)
}

/** Returns all streams of an appearance dictionary, those of states included. */
function appearanceStreams(revision: StrictRevision, value: StrictValue | undefined): readonly StrictStream[] {
  const appearances = [...(dictionaryOf(revision.resolve(value))?.entries.values() ?? [])]
  return appearances.flatMap((entry) => {
    const appearance = revision.resolve(entry)
    const stream = ofKind(appearance, 'stream')
    if (stream !== undefined) return [stream]
    const states = [...(ofKind(appearance, 'dictionary')?.entries.values() ?? [])]
    return states.flatMap((state) => ofKind(revision.resolve(state), 'stream') ?? [])
  })
}

/** False for a stream that certainly draws nothing: blank, or forms that draw nothing, as signature fields have them. */
function draws(comparison: Comparison, stream: StrictStream, depth = 0): boolean {
  if (depth > formDepthMax) return true
  const operations = contentOperations(comparison.document.decodedBytes(stream))
  return operations === undefined || operations.some((operation) => isDrawing(comparison, stream, operation, depth))
}

function isDrawing(
  comparison: Comparison,
  stream: StrictStream,
  { operator, operands }: Operation,
  depth: number,
): boolean {
  if (operator !== 'Do') return !drawless.has(operator)
  const { after } = comparison
  const [operand] = operands
  const forms = after.resolve(entryOf(after.resolve(entryOf(stream, 'Resources')), 'XObject'))
  const named = operand?.kind === 'other' ? after.resolve(entryOf(forms, operand.token.slice(1))) : undefined
  const form = ofKind(named, 'stream')
  return form === undefined || nameOf(entryOf(form, 'Subtype')) !== 'Form' || draws(comparison, form, depth + 1)
}
