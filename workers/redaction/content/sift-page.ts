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
import { mayHaveDescriptions } from '../content-descriptions.js'
import { PictureBlanker } from '../pictures/picture-blanker.js'
import { Region } from '../region.js'
import type { RemovedText } from '../removed-text.js'
import { contentsDrawnIn, type DrawnContent } from './contents-drawn.js'
import { firstGraphics, type Graphics } from './graphics.js'
import { premultiplied } from './matrices.js'
import { Sieve, type Surroundings } from './sieve.js'
import type { SiftedPattern } from './sifted-patterns.js'
import { TextAlternatives } from './text-alternatives.js'
import { tilesUnder } from './tiling-patterns.js'
import { UsedResources } from './used-resources.js'

/** Keys of a form that drawing needs (ISO 32000-2, table 93). Others may describe removed content. */
const formKeys = new Set('Type Subtype FormType BBox Matrix Group OC StructParent StructParents'.split(' '))
const patternKeys = new Set('Type PatternType PaintType TilingType BBox XStep YStep Matrix'.split(' '))
const entriesMax = 1_000
/** Maximum number of tiles of a page that are looked into. */
const tilesMax = 1_000

export interface Sifting extends Omit<Surroundings, 'used' | 'form' | 'mask' | 'pattern' | 'alternatives'> {
  /** The text that lies under the marks. */
  readonly text: RemovedText
}

/** Filters a page. `contents`: what it draws. Returns the text alternatives that stay. Throws `MalformedPdf`. */
export function siftPage(sifting: Sifting, page: PDFObject, contents: readonly DrawnContent[]): ReadonlySet<string> {
  const { change, removed, text } = sifting
  const box = pageBoxes(page).media
  const alternatives = new TextAlternatives(box, !mayHaveDescriptions(contents))
  const sifter = new PageSifter({ ...sifting, alternatives }, box)
  const used = new UsedResources(page.getInheritable('Resources'))
  const content = contents.find(({ form }) => form === undefined)?.content ?? ''
  const left = sifter.sift(content, { used, graphics: firstGraphics })
  removed.add('alternate-text', alternatives.decide(text))
  sifter.write()
  page.put('Contents', change.pdf.addStream(Buffer.from(left.content(), 'latin1'), {}))
  page.put('Resources', used.writeTo(change))
  return alternatives.kept
}

interface Place {
  readonly used: UsedResources
  readonly graphics: Graphics
  readonly box?: ReturnType<typeof rectangleOf>
  /** True for content that is no text to readers. */
  readonly isHidden?: boolean
}

class PageSifter {
  readonly #open = new Set<number>()

  /** Writes streams that have text alternatives once more. */
  readonly #unwritten: (() => void)[] = []
  #tilesLeft = tilesMax

  constructor(
    private readonly sifting: Omit<Surroundings, 'used' | 'form' | 'mask' | 'pattern'>,
    private readonly page: PdfRect,
  ) {}

  write(): void {
    for (const write of this.#unwritten) write()
  }

  sift(content: string, { used, graphics, box, isHidden = false }: Place) {
    const form = (drawn: PDFObject, at: Graphics) => this.#siftForm(drawn, at, used.resources)
    const pattern = (cell: PDFObject, base: Matrix) => this.#siftPattern(cell, base, used.resources)
    const mask = (group: PDFObject, ctm: Matrix, isMasking: boolean) =>
      this.#siftMask(group, ctm, { isMasking, outer: used.resources })
    const sieve = new Sieve({ ...this.sifting, used, form, mask, pattern }, graphics, box)
    return this.sifting.alternatives.inStream(isHidden, () => sieve.sift(content))
  }

  /** `outer`: resources of the content that draws the form, for one without its own. */
  #siftForm(form: PDFObject, at: Graphics, outer: PDFObject): PDFObject | undefined {
    const graphics = { ...at, ctm: premultiplied(matrixOf(entry(form, 'Matrix')), at.ctm) }
    const { copy, isPainted } = this.#copyWithout(form, graphics, { outer, keys: formKeys })
    return isPainted ? copy() : undefined
  }

  /** `isMasking`: false for one that reaches under no mark. */
  #siftMask(group: PDFObject, ctm: Matrix, { isMasking, outer }: Masking): PDFObject {
    if (!isMasking) return this.#withoutDescriptions(group, { outer, keys: formKeys })
    const graphics = { ...firstGraphics, ctm: premultiplied(matrixOf(entry(group, 'Matrix')), ctm) }
    return this.#copyWithout(group, graphics, { outer, keys: formKeys, isHidden: true }).copy()
  }

  /** Returns the pattern without what is under marks in its tiles, unless the page shows that elsewhere too. */
  #siftPattern(pattern: PDFObject, base: Matrix, outer: PDFObject): SiftedPattern {
    const tiles = tilesUnder(pattern, base, { region: this.sifting.region, page: this.page })
    const isWhole = tiles === undefined || tiles.length > this.#tilesLeft
    if (isWhole || tiles.length === 0)
      return { left: this.#withoutDescriptions(pattern, { outer, keys: patternKeys }), isWhole }
    this.#tilesLeft -= tiles.length
    const copying = { outer, keys: patternKeys, isHidden: true }
    const left = tiles.reduce(
      (cell, ctm) => this.#copyWithout(cell, { ...firstGraphics, ctm }, copying).copy(),
      pattern,
    )
    return { left, isWhole }
  }

  /** Returns a pattern or group that reaches under no mark without its text alternatives: the same if it has none. */
  #withoutDescriptions(stream: PDFObject, copying: Copying): PDFObject {
    if (!mayHaveDescriptions([...contentsDrawnIn(stream, copying.outer)])) return stream
    const region = new Region([])
    const glyphs = { ...this.sifting.glyphs, isTaken: () => false }
    const pictures = new PictureBlanker(this.sifting.change, region)
    const sifter = new PageSifter({ ...this.sifting, region, glyphs, pictures }, this.page)
    return sifter.#copyWithout(stream, firstGraphics, { ...copying, isHidden: true }).copy()
  }

  #copyWithout(stream: PDFObject, graphics: Graphics, { outer, keys, isHidden = false }: Copying) {
    const { change } = this.sifting
    const number = objectNumberOf(stream) ?? 0
    if (this.#open.has(number)) throw new JobRefusal('MalformedPdf', 'A form or pattern of the page draws itself')
    const own = entry(stream, 'Resources')
    const used = new UsedResources(own.isNull() ? outer : own)
    this.#open.add(number)
    const box = rectangleOf(entry(stream, 'BBox'))
    const { content, isPainted } = this.sift(contentOf(stream), { used, graphics, box, isHidden })
    this.#open.delete(number)
    const copy = (): PDFObject => {
      const written = content()
      const made = change.pdf.addStream(Buffer.from(written, 'latin1'), {})
      this.#unwritten.push(() => {
        const decided = content()
        if (decided !== written) made.writeStream(Buffer.from(decided, 'latin1'))
      })
      for (const [key, value] of entriesOf(stream, entriesMax)) if (keys.has(key)) made.put(key, inlineCopy(value))
      made.put('Resources', used.writeTo(change))
      return made
    }
    return { copy, isPainted }
  }
}

interface Masking {
  readonly isMasking: boolean
  readonly outer: PDFObject
}

interface Copying {
  readonly outer: PDFObject
  /** Entries that the copy has. */
  readonly keys: ReadonlySet<string>
  readonly isHidden?: boolean
}

const contentOf = (stream: PDFObject): string => orElse('', () => decodedBytes(stream).toString('latin1'))
