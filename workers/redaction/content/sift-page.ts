// Rewrites the content of a page, and of every form it draws, without what lies under marks. Each use of a form gets a
// copy: other uses, on this page and on others, are unaffected.
import type { Matrix, PDFObject } from 'mupdf'
import { matrixOf } from '../../content/placement.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { pageBoxes } from '../../document/page-boxes.js'
import { decodedBytes } from '../../engine/engine-memory.js'
import { orElse } from '../../engine/trap.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { rectangleOf } from '../../objects/rectangles.js'
import { entriesOf, entry, objectNumberOf } from '../../objects/values.js'
import { firstGraphics, type Graphics } from './graphics.js'
import { premultiplied } from './matrices.js'
import { Sieve, type Surroundings } from './sieve.js'
import { tilesUnder } from './tiling-patterns.js'
import { UsedResources } from './used-resources.js'

/** Keys of a form that drawing needs (ISO 32000-2, table 93). Others may describe removed content. */
const formKeys = new Set('Type Subtype FormType BBox Matrix Group OC StructParent StructParents'.split(' '))
const patternKeys = new Set('Type PatternType PaintType TilingType BBox XStep YStep Matrix'.split(' '))
const entriesMax = 1_000
/** Maximum number of tiles of a page that are looked into. */
const tilesMax = 1_000

export type Sifting = Omit<Surroundings, 'used' | 'form' | 'mask' | 'pattern'>

/** Filters a page. `content`: that of all its streams. Throws `MalformedPdf`. */
export function siftPage(sifting: Sifting, page: PDFObject, content: string): void {
  const sifter = new PageSifter(sifting, pageBoxes(page).media)
  const used = new UsedResources(page.getInheritable('Resources'))
  const { content: left } = sifter.sift(content, { used, graphics: firstGraphics })
  page.put('Contents', sifting.change.pdf.addStream(Buffer.from(left, 'latin1'), {}))
  page.put('Resources', used.writeTo(sifting.change))
}

interface Place {
  readonly used: UsedResources
  readonly graphics: Graphics
  readonly box?: ReturnType<typeof rectangleOf>
}

class PageSifter {
  readonly #open = new Set<number>()

  #tilesLeft = tilesMax

  constructor(
    private readonly sifting: Sifting,
    private readonly page: PdfRect,
  ) {}

  sift(content: string, { used, graphics, box }: Place) {
    const form = (drawn: PDFObject, at: Graphics) => this.#siftForm(drawn, at, used.resources)
    const pattern = (cell: PDFObject, base: Matrix) => this.#siftPattern(cell, base, used.resources)
    const mask = (group: PDFObject, ctm: Matrix) => this.#siftMask(group, ctm, used.resources)
    return new Sieve({ ...this.sifting, used, form, mask, pattern }, graphics, box).sift(content)
  }

  /** `outer`: resources of the content that draws the form, for one without its own. */
  #siftForm(form: PDFObject, at: Graphics, outer: PDFObject): PDFObject | undefined {
    const graphics = { ...at, ctm: premultiplied(matrixOf(entry(form, 'Matrix')), at.ctm) }
    const { copy, isPainted } = this.#copyWithout(form, graphics, { outer, keys: formKeys })
    return isPainted ? copy() : undefined
  }

  #siftMask(group: PDFObject, ctm: Matrix, outer: PDFObject): PDFObject {
    const graphics = { ...firstGraphics, ctm: premultiplied(matrixOf(entry(group, 'Matrix')), ctm) }
    return this.#copyWithout(group, graphics, { outer, keys: formKeys }).copy()
  }

  /** Returns the pattern without what is under marks in its tiles; undefined if the page shows that elsewhere too. */
  #siftPattern(pattern: PDFObject, base: Matrix, outer: PDFObject): PDFObject | undefined {
    const tiles = tilesUnder(pattern, base, { region: this.sifting.region, page: this.page })
    if (tiles === undefined || tiles.length > this.#tilesLeft) return undefined
    this.#tilesLeft -= tiles.length
    return tiles.reduce((left, ctm) => {
      const graphics = { ...firstGraphics, ctm }
      return this.#copyWithout(left, graphics, { outer, keys: patternKeys }).copy()
    }, pattern)
  }

  #copyWithout(stream: PDFObject, graphics: Graphics, { outer, keys }: Copying) {
    const { change } = this.sifting
    const number = objectNumberOf(stream) ?? 0
    if (this.#open.has(number)) throw new JobRefusal('MalformedPdf', 'A form or pattern of the page draws itself')
    const own = entry(stream, 'Resources')
    const used = new UsedResources(own.isNull() ? outer : own)
    this.#open.add(number)
    const box = rectangleOf(entry(stream, 'BBox'))
    const { content, isPainted } = this.sift(contentOf(stream), { used, graphics, box })
    this.#open.delete(number)
    const copy = (): PDFObject => {
      const made = change.pdf.addStream(Buffer.from(content, 'latin1'), {})
      for (const [key, value] of entriesOf(stream, entriesMax)) if (keys.has(key)) made.put(key, inlineCopy(value))
      made.put('Resources', used.writeTo(change))
      return made
    }
    return { copy, isPainted }
  }
}

interface Copying {
  readonly outer: PDFObject
  /** Entries that the copy has. */
  readonly keys: ReadonlySet<string>
}

const contentOf = (stream: PDFObject): string => orElse('', () => decodedBytes(stream).toString('latin1'))
