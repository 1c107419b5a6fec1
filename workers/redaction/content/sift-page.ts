// Rewrites the content of a page, and of every form it draws, without what lies under marks. Each use of a form gets a
// copy: other uses, on this page and on others, are unaffected.
import type { PDFObject } from 'mupdf'
import { matrixOf } from '../../content/placement.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { decodedBytes } from '../../engine/engine-memory.js'
import { orElse } from '../../engine/trap.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { rectangleOf } from '../../objects/rectangles.js'
import { entriesOf, entry, objectNumberOf } from '../../objects/values.js'
import { firstGraphics, type Graphics } from './graphics.js'
import { premultiplied } from './matrices.js'
import { Sieve, type Surroundings } from './sieve.js'
import { UsedResources } from './used-resources.js'

/** Keys of a form that drawing needs (ISO 32000-2, table 93). Others may describe removed content. */
const formKeys = new Set('Type Subtype FormType BBox Matrix Group OC StructParent StructParents'.split(' '))
const entriesMax = 1_000

export type Sifting = Omit<Surroundings, 'used' | 'form'>

/** Filters a page. `content`: that of all its streams. Throws `MalformedPdf`. */
export function siftPage(sifting: Sifting, page: PDFObject, content: string): void {
  const sifter = new PageSifter(sifting)
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

  constructor(private readonly sifting: Sifting) {}

  sift(content: string, { used, graphics, box }: Place) {
    const form = (drawn: PDFObject, at: Graphics) => this.#siftForm(drawn, at, used.resources)
    return new Sieve({ ...this.sifting, used, form }, graphics, box).sift(content)
  }

  /** `outer`: resources of the content that draws the form, for one without its own. */
  #siftForm(form: PDFObject, at: Graphics, outer: PDFObject): PDFObject | undefined {
    const { change } = this.sifting
    const number = objectNumberOf(form) ?? 0
    if (this.#open.has(number)) throw new JobRefusal('MalformedPdf', 'A form of the page draws itself')
    const own = entry(form, 'Resources')
    const used = new UsedResources(own.isNull() ? outer : own)
    const graphics = { ...at, ctm: premultiplied(matrixOf(entry(form, 'Matrix')), at.ctm) }
    this.#open.add(number)
    const { content, isPainted } = this.sift(contentOf(form), { used, graphics, box: rectangleOf(entry(form, 'BBox')) })
    this.#open.delete(number)
    if (!isPainted) return undefined
    const copy = change.pdf.addStream(Buffer.from(content, 'latin1'), {})
    for (const [key, value] of entriesOf(form, entriesMax)) if (formKeys.has(key)) copy.put(key, inlineCopy(value))
    copy.put('Resources', used.writeTo(change))
    return copy
  }
}

const contentOf = (stream: PDFObject): string => orElse('', () => decodedBytes(stream).toString('latin1'))
