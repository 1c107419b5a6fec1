// Composite fonts without a font descriptor, which old programs wrote for the standard Chinese, Japanese and Korean fonts:
// the engine shows and reads their codes as Latin letters. Each gets a descriptor, as a font that is not embedded has.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { readingLimits } from '../objects/reading-limits.js'
import {
  elementsOf,
  entriesOf,
  entry,
  isDictionary,
  isMissing,
  isStream,
  nameOf,
  objectNumberOf,
} from '../objects/values.js'
import { inheritableOf, type Leaf } from './page-tree.js'

/** Maximum number of fonts and drawings that are looked at, so that a hostile file costs little. */
const inspectedMax = 50_000

/** Returns the CID fonts without a descriptor that pages, annotations, all that these draw, and the form use. */
export function bareFonts({ catalog }: OpenDocument, leaves: readonly Leaf[]): readonly PDFObject[] {
  const search = new Search()
  search.inspect(entry(catalog, 'AcroForm', 'DR'))
  for (const { page, inherited } of leaves) {
    search.inspect({ ...inherited, ...inheritableOf(page) }.Resources)
    search.inspectAnnotations(entry(page, 'Annots'))
  }
  return search.found
}

export function describeFonts({ pdf }: OpenDocument, fonts: readonly PDFObject[]): void {
  for (const font of fonts) {
    const descriptor = pdf.newDictionary()
    descriptor.put('Type', pdf.newName('FontDescriptor'))
    descriptor.put('FontName', pdf.newName(nameOf(entry(font, 'BaseFont')) ?? 'Unknown'))
    descriptor.put('FontBBox', [0, -200, 1000, 900])
    for (const [key, value] of Object.entries(metrics)) descriptor.put(key, value)
    font.put('FontDescriptor', pdf.addObject(descriptor))
  }
}

/** Usual metrics of these fonts; their letters are in no Latin character set (flag 4). */
const metrics = { Flags: 4, ItalicAngle: 0, Ascent: 880, Descent: -120, CapHeight: 700, StemV: 80 }

class Search {
  readonly found: PDFObject[] = []
  readonly #seen = new Set<number>()
  #left = inspectedMax

  inspect(resources: PDFObject | undefined, depth = 0): void {
    if (resources === undefined || !this.#isNew(resources) || depth > readingLimits.fieldDepthMax) return
    const valuesOf = (category: string): readonly PDFObject[] =>
      entriesOf(entry(resources, category), readingLimits.optionsMax).map(([, value]) => value)
    for (const font of valuesOf('Font')) this.#inspectFont(font, depth)
    const drawings = [...valuesOf('XObject'), ...valuesOf('Pattern')]
    const masks = valuesOf('ExtGState').map((state) => entry(state, 'SMask', 'G'))
    for (const drawing of [...drawings, ...masks]) this.#inspectDrawing(drawing, depth)
  }

  /** Inspects the appearances of annotations in every state. */
  inspectAnnotations(annotations: PDFObject): void {
    for (const annotation of elementsOf(annotations, readingLimits.annotsLengthMax)) {
      if (this.#left <= 0) return
      for (const [, appearance] of entriesOf(entry(annotation, 'AP'), readingLimits.optionsMax)) {
        if (isStream(appearance)) this.#inspectDrawing(appearance, 0)
        else for (const [, state] of entriesOf(appearance, readingLimits.optionsMax)) this.#inspectDrawing(state, 0)
      }
    }
  }

  #inspectDrawing(drawing: PDFObject, depth: number): void {
    if (isStream(drawing) && this.#isNew(drawing)) this.inspect(entry(drawing, 'Resources'), depth + 1)
  }

  #inspectFont(font: PDFObject, depth: number): void {
    if (!this.#isNew(font)) return
    const subtype = nameOf(entry(font, 'Subtype'))
    // The glyphs of a drawn font may show text in others.
    if (subtype === 'Type3') this.inspect(entry(font, 'Resources'), depth + 1)
    if (subtype !== 'Type0') return
    const descendant = entry(font, 'DescendantFonts', 0)
    if (isDictionary(descendant) && isMissing(entry(descendant, 'FontDescriptor'))) this.found.push(descendant)
  }

  /** True for an object that was not looked at before, as long as not too many were. */
  #isNew(object: PDFObject): boolean {
    const number = objectNumberOf(object)
    if (number !== undefined && this.#seen.has(number)) return false
    if (number !== undefined) this.#seen.add(number)
    return isDictionary(object) && this.#left-- > 0
  }
}
