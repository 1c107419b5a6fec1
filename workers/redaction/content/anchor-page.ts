// Runs the engine on a page whose text has anchors, and takes them out of the result: see `anchors.ts`.
import { createHash } from 'node:crypto'
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { entriesOf, entry, isMissing, objectNumberOf } from '../../objects/values.js'
import { streamsDrawnBy } from '../drop-undrawn.js'
import { type AnchorFonts, anchorCode, pageState, withAnchors } from './anchors.js'
import { contentsDrawnBy, type DrawnContent } from './contents-drawn.js'

/** Maximum number of resource entries copied. */
const entriesMax = 100_000

/**
 * Runs `redact` while the text of the page and of the forms it draws has anchors, and returns the fonts of the anchors.
 * Forms, which other pages may draw too, are then as before. Throws `MalformedPdf`.
 */
export function withAnchoredText(change: Change, page: PDFObject, redact: () => void): AnchorFonts {
  const contents = [...contentsDrawnBy(page)]
  const names = new AnchorNames(contents)
  const drawn = streamsDrawnBy(contents)
  const restorers: (() => void)[] = []
  for (const { form, content, resources } of contents) {
    // Patterns and masks are not filtered afterwards.
    if (form !== undefined && !drawn.has(objectNumberOf(form) ?? 0)) continue
    const used = new Set<string>()
    const anchored = withAnchors(content, {
      start: form === undefined ? pageState : {},
      nameAnchor: (font) => `/${names.of(font, used)}`,
      isFontSet: (state) => state !== undefined && !isMissing(entry(resources, 'ExtGState', state, 'Font')),
    })
    if (anchored === undefined) continue
    const owner = form === undefined ? page : change.touch(form)
    const bytes = Buffer.from(anchored, 'latin1')
    const own = entry(owner, 'Resources')
    if (form === undefined) owner.put('Contents', change.pdf.addStream(bytes, {}))
    else owner.writeStream(bytes)
    owner.put('Resources', withFonts(change, resources, used))
    if (form === undefined) continue
    restorers.push(() => {
      owner.writeStream(Buffer.from(content, 'latin1'))
      if (own.isNull()) owner.delete('Resources')
      else owner.put('Resources', own)
    })
  }
  redact()
  for (const restore of restorers) restore()
  return names
}

class AnchorNames implements AnchorFonts {
  readonly fonts = new Map<string, string>()
  readonly prefix: string
  readonly #byFont = new Map<string, string>()

  /** No content contains a part of its own digest, so that the names are new in all of them. */
  constructor(contents: readonly DrawnContent[]) {
    const digest = createHash('sha256')
    for (const { content } of contents) digest.update(content)
    this.prefix = `Rd${digest.digest('hex').slice(0, 32)}x`
  }

  /** Returns the name for a font. `used` collects the names of one content. */
  of(font: string, used: Set<string>): string {
    const name = this.#byFont.get(font) ?? `${this.prefix}${this.#byFont.size}`
    this.#byFont.set(font, name)
    this.fonts.set(name, font)
    used.add(name)
    return name
  }
}

/** Returns a copy of the resources with fonts of anchors added: other content may share the original. */
function withFonts({ pdf }: Change, resources: PDFObject, names: Iterable<string>): PDFObject {
  const copyOf = (dictionary: PDFObject): PDFObject => {
    const copy = pdf.newDictionary()
    for (const [key, value] of entriesOf(dictionary, entriesMax)) copy.put(key, value)
    return copy
  }
  const fonts = copyOf(entry(resources, 'Font'))
  const font = anchorFont(pdf)
  for (const name of names) fonts.put(name, font)
  const copy = copyOf(resources)
  copy.put('Font', fonts)
  return copy
}

/** Makes a font with one glyph, which is blank and has no advance. */
function anchorFont(pdf: PDFDocument): PDFObject {
  const font = pdf.newDictionary()
  for (const [key, name] of Object.entries(fontNames)) font.put(key, pdf.newName(name))
  font.put('FirstChar', anchorCode)
  font.put('LastChar', anchorCode)
  font.put('Widths', [0])
  const encoding = pdf.newDictionary()
  encoding.put('Type', pdf.newName('Encoding'))
  encoding.put('Differences', [anchorCode, pdf.newName('space')])
  font.put('Encoding', encoding)
  return font
}

const fontNames = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }
