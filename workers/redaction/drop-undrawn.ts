// Removes streams of which a redacted page now draws copies, once nothing draws the originals any more, whatever still
// refers to them. Resources are often shared by all pages and name far more than a page draws.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { nameIn } from '../content/operators.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isDictionary, isStream, nameOf, objectNumberOf } from '../objects/values.js'
import { contentNumbersOf, contentsDrawnBy, contentsDrawnIn, type DrawnContent } from './content/contents-drawn.js'

const entriesMax = 100_000
const drawsXObject = /(\/[^\0\t\n\f\r ()<>[\]{}/%]*)[\0\t\n\f\r ]+Do(?![^\0\t\n\f\r ()<>[\]{}/%])/g

/** Returns the object numbers of the pictures, forms, patterns and masks that the content draws. */
export function streamsDrawnBy(contents: readonly DrawnContent[]): ReadonlySet<number> {
  const all = contents.map(({ resources }) => resources)
  const numbers = new Set<number>()
  for (const { form, content, resources } of contents) {
    if (form !== undefined) numbers.add(objectNumberOf(form) ?? 0)
    // A stream without resources of its own may be drawn in several places and uses the resources of each.
    const sources = form !== undefined && entry(form, 'Resources').isNull() ? all : [resources]
    for (const [, written] of content.matchAll(drawsXObject)) {
      const name = nameIn(written) ?? ''
      for (const source of sources) numbers.add(objectNumberOf(entry(source, 'XObject', name)) ?? 0)
    }
  }
  numbers.delete(0)
  return numbers
}

/** Removes the streams. `candidates`: object numbers of the XObjects that redacted pages drew before. */
export function dropUndrawn(change: Change, candidates: ReadonlySet<number>): void {
  const left = new Set(candidates)
  const reach = new Reach(left)
  for (const number of change.document.pages) {
    if (left.size === 0) return
    const page = change.document.pageObject(number)
    for (const content of contentNumbersOf(page)) left.delete(content)
    if (reach.of(page.getInheritable('Resources'))) keepDrawn(left, () => contentsDrawnBy(page))
    for (const form of appearancesOn(page)) {
      if (reach.of(entry(form, 'Resources'))) keepDrawn(left, () => contentsDrawnIn(form, entry(form, 'Resources')))
      left.delete(objectNumberOf(form) ?? 0)
    }
  }
  change.hide(...[...left].map((number) => change.pdf.newIndirect(number)))
}

/** Retains all candidates if content cannot be read completely. */
function keepDrawn(left: Set<number>, contents: () => Iterable<DrawnContent>): void {
  try {
    for (const number of streamsDrawnBy([...contents()])) left.delete(number)
  } catch (error) {
    if (!(error instanceof JobRefusal)) throw error
    left.clear()
  }
}

function* appearancesOn(page: PDFObject): Generator<PDFObject> {
  for (const annotation of elementsOf(entry(page, 'Annots'), readingLimits.annotsLengthMax)) {
    if (!isDictionary(annotation)) continue
    for (const [, appearance] of entriesOf(entry(annotation, 'AP'), entriesMax)) {
      if (isStream(appearance)) yield appearance
      else for (const [, state] of entriesOf(appearance, entriesMax)) if (isStream(state)) yield state
    }
  }
}

/** Determines whether resources lead to a candidate: only then their content is read. */
class Reach {
  readonly #known = new Map<number, boolean>()

  constructor(private readonly candidates: Set<number>) {}

  of(resources: PDFObject, depth = 0): boolean {
    const number = objectNumberOf(resources)
    const known = number === undefined ? undefined : this.#known.get(number)
    if (known !== undefined || !isDictionary(resources) || depth > limits.depthMax) return known ?? false
    // Drawings may refer to each other; what a cycle leads to is recorded where it was entered first.
    if (number !== undefined) this.#known.set(number, false)
    const reaches = this.#reaches(resources, depth)
    if (number !== undefined) this.#known.set(number, reaches)
    return reaches
  }

  #reaches(resources: PDFObject, depth: number): boolean {
    const values = (category: string): readonly PDFObject[] =>
      entriesOf(entry(resources, category), entriesMax).map(([, value]) => value)
    const drawings = values('XObject')
    if (drawings.some((drawing) => this.candidates.has(objectNumberOf(drawing) ?? 0))) return true
    const inner = [
      ...drawings.filter((drawing) => nameOf(entry(drawing, 'Subtype')) === 'Form'),
      ...values('Pattern'),
      ...values('ExtGState').map((state) => entry(state, 'SMask', 'G')),
    ]
    if (inner.some((drawing) => this.candidates.has(objectNumberOf(drawing) ?? 0))) return true
    if (inner.some((drawing) => this.of(entry(drawing, 'Resources'), depth + 1))) return true
    // The glyphs of a Type3 font that are shown are not known here, so all count as shown.
    for (const font of values('Font')) if (this.of(entry(font, 'Resources'), depth + 1)) this.#keepGlyphsOf(font)
    return false
  }

  #keepGlyphsOf(font: PDFObject): void {
    for (const [, glyph] of entriesOf(entry(font, 'CharProcs'), entriesMax))
      if (isStream(glyph)) keepDrawn(this.candidates, () => contentsDrawnIn(glyph, entry(font, 'Resources')))
  }
}
