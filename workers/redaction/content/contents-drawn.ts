// Measures nested forms, patterns and masks, including cyclic and very frequent uses: a redaction writes each use of a
// form separately, so the cost is computed before.

import type { PDFObject } from 'mupdf'
import { nameIn } from '../../content/operators.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { decodedBytes } from '../../engine/engine-memory.js'
import { orElse } from '../../engine/trap.js'
import { elementsOf, entry, isArray, isStream, nameOf, objectNumberOf } from '../../objects/values.js'

/** Maximum nesting of forms: the engine's stack suffices for twenty levels. */
const depthMax = 14
/**
 * Maximum number of form uses on one page, because the engine compares resource names of all uses, and maximum bytes of
 * their content.
 */
const usesMax = 5_000
/** Maximum number of drawings, patterns and masks included. */
const runsMax = 100_000
const bytesMax = 128 * 1024 * 1024
/** Maximum number of content streams of one page. */
const streamsMax = 100_000

const draws = /(\/[^\0\t\n\f\r ()<>[\]{}/%]*)[\0\t\n\f\r ]+(Do|scn|SCN|gs)(?![^\0\t\n\f\r ()<>[\]{}/%])/g

type Drawing = (resources: PDFObject, name: string) => PDFObject | undefined

const pattern: Drawing = (resources, name) => entry(resources, 'Pattern', name)
const drawings: Readonly<Record<string, Drawing>> = {
  Do: (resources, name) => {
    const drawing = entry(resources, 'XObject', name)
    return nameOf(entry(drawing, 'Subtype')) === 'Form' ? drawing : undefined
  },
  scn: pattern,
  SCN: pattern,
  gs: (resources, name) => entry(resources, 'ExtGState', name, 'SMask', 'G'),
}

interface Cost {
  readonly uses: number
  readonly runs: number
  readonly bytes: number
  /** Number of nested levels. */
  readonly depth: number
}

export interface DrawnContent {
  /** The form; undefined for the page itself, whose streams count as one. */
  readonly form: PDFObject | undefined
  readonly content: string
  /** Resources of the stream, or those of the enclosing content if it has none of its own. */
  readonly resources: PDFObject
}

/** Returns the content streams that the page draws, including nested forms and patterns. Throws `MalformedPdf`. */
export function contentsDrawnBy(page: PDFObject): Iterable<DrawnContent> {
  const counting = new DrawCounter()
  counting.costOf(entry(page, 'Contents'), page.getInheritable('Resources'), 0)
  return counting.contents.values()
}

/** Returns the content streams that a single stream draws, see `contentsDrawnBy`. Throws `MalformedPdf`. */
export function contentsDrawnIn(stream: PDFObject, resources: PDFObject): Iterable<DrawnContent> {
  const counting = new DrawCounter()
  counting.costOf(stream, resources, 0)
  return counting.contents.values()
}

class DrawCounter {
  readonly contents = new Map<number, DrawnContent>()
  readonly #known = new Map<number, Cost>()
  readonly #open = new Set<number>()

  /** Computes the cost of a stream. `resources`: those of the enclosing content, for a form without its own. */
  costOf(stream: PDFObject, resources: PDFObject, depth: number): Cost {
    const number = objectNumberOf(stream) ?? 0
    const known = this.#known.get(number)
    if (this.#open.has(number) || depth + (known?.depth ?? 0) > depthMax)
      throw new JobRefusal('MalformedPdf', 'Forms or patterns of the page refer to each other in a cycle')
    if (known !== undefined) return known
    if (number > 0) this.#open.add(number)
    const content = contentsOf(stream)
    this.contents.set(depth === 0 ? 0 : number, { form: depth === 0 ? undefined : stream, content, resources })
    const cost = this.#counted(content, resources, depth)
    this.#open.delete(number)
    // The cost of a stream without resources depends on those of each use.
    if (number > 0 && (cost.depth === 0 || !entry(stream, 'Resources').isNull())) this.#known.set(number, cost)
    return cost
  }

  #counted(content: string, resources: PDFObject, depth: number): Cost {
    let [uses, runs, bytes, below] = [1, 1, content.length, 0]
    for (const [, written, operator = ''] of content.matchAll(draws)) {
      const drawing = drawings[operator]?.(resources, nameIn(written) ?? '')
      if (drawing === undefined || !isStream(drawing)) continue
      const own = entry(drawing, 'Resources')
      const inner = this.costOf(drawing, own.isNull() ? resources : own, depth + 1)
      runs += inner.runs
      if (operator === 'Do') {
        uses += inner.uses
        bytes += inner.bytes
      }
      below = Math.max(below, inner.depth + 1)
      if (uses > usesMax || runs > runsMax || bytes > bytesMax) {
        throw new JobRefusal('MalformedPdf', 'The page uses too many forms to be redacted')
      }
    }
    return { uses, runs, bytes, depth: below }
  }
}

/** Returns object numbers of a page's content streams, and of the array that contains them. */
export function contentNumbersOf(page: PDFObject): readonly number[] {
  const contents = entry(page, 'Contents')
  return [contents, ...streamsIn(contents)].flatMap((one) => objectNumberOf(one) ?? [])
}

const streamsIn = (contents: PDFObject): readonly PDFObject[] =>
  isArray(contents) ? [...elementsOf(contents, streamsMax)] : [contents]

function contentsOf(contents: PDFObject): string {
  return streamsIn(contents)
    .map((stream) => (isStream(stream) ? bytesOf(stream) : ''))
    .join('\n')
}

const bytesOf = (stream: PDFObject): string => orElse('', () => decodedBytes(stream).toString('latin1'))
