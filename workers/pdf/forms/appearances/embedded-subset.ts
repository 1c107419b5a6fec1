// The part of a font that some glyphs need, as a font of a file. The engine cuts down all fonts of a document at once, so
// it is done in a document that has nothing else.
import { deflateSync } from 'node:zlib'
import type { Font, PDFDocument, PDFObject } from 'mupdf'
import { mupdf } from '../../library.js'
import { entry, objectNumberOf } from '../../values.js'

/** `glyphs`: a string of two-byte glyph numbers, as `Tj` takes it. Answers a reference. */
export function embeddedSubset(pdf: PDFDocument, font: Font, glyphs: string): PDFObject {
  const scratch = new mupdf.PDFDocument()
  try {
    const whole = scratch.addFont(font)
    const resources = scratch.newDictionary()
    resources.put('Font', scratch.newDictionary())
    resources.get('Font').put('F', whole)
    scratch.insertPage(-1, scratch.addPage([0, 0, 100, 100], 0, resources, `BT /F 10 Tf ${glyphs} Tj ET`))
    scratch.subsetFonts()
    const reference = pdf.graftObject(whole)
    reference.put(embeddedMark, true)
    for (const part of objectsOfEmbedded(reference)) if (part.isStream()) compress(part)
    return reference
  } finally {
    scratch.destroy()
  }
}

function compress(stream: PDFObject): void {
  const buffer = stream.readStream()
  try {
    const deflated = deflateSync(buffer.asUint8Array())
    stream.put('Filter', stream._doc.newName('FlateDecode'))
    stream.writeRawStream(deflated)
  } finally {
    buffer.destroy()
  }
}

/** On fonts made here: they belong to one drawing and go with it. */
const embeddedMark = 'STWD_Embedded'

/** The objects such a font is made of; none for any other font. */
export function objectsOfEmbedded(font: PDFObject): readonly PDFObject[] {
  if (!entry(font, embeddedMark).isBoolean()) return []
  const descendant = entry(font, 'DescendantFonts', 0)
  const descriptor = entry(descendant, 'FontDescriptor')
  const parts = [
    font,
    entry(font, 'ToUnicode'),
    entry(font, 'DescendantFonts'),
    descendant,
    entry(descendant, 'W'),
    entry(descendant, 'CIDToGIDMap'),
    descriptor,
    ...['FontFile', 'FontFile2', 'FontFile3'].map((key) => entry(descriptor, key)),
  ]
  return parts.filter((part) => objectNumberOf(part) !== undefined)
}
