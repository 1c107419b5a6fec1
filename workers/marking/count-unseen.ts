// Counts what is on a page besides the text that a search reads: whoever marks by content must look there too.
import type { Path, PDFObject, PDFPage, Text } from 'mupdf'
import type { Unseen } from '../contract/marking.js'
import type { OpenDocument } from '../document/open-document.js'
import { mupdf } from '../engine/library.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, nameOf, textOf } from '../objects/values.js'
import { layersOff, withLayersOn } from '../pages/every-layer.js'
import { plainText } from '../pages/plain-text.js'
import { pageSource, withText } from '../pages/reading-order/ordered-text.js'
import { isInkless } from '../pages/search-folding.js'
import { GlyphBoxes } from '../redaction/glyph-boxes.js'
import { mayShowText } from './shown-appearance.js'

type Attached = Pick<Unseen, 'annotations' | 'fields'>

/** Counts what the content of a page draws. `text`: the text that is searched. */
export function countUnseen({ pdf }: OpenDocument, content: PDFPage, text: string): Omit<Unseen, keyof Attached> {
  return withLayersOn(pdf, layersOff(pdf), () => {
    const all = characterCount(plainText(content, 'clip=0'))
    const { blankInk, ...drawn } = countDrawn(content)
    return {
      hiddenCharacters: Math.max(0, all - characterCount(text)) + countFlat(content, text),
      unreadableCharacters: countOf(text, unreadable) + blankInk,
      ...drawn,
    }
  })
}

/** Characters that no font means: none, controls, those without a meaning, and those of one font alone. */
const unreadable = /[\ufffd\p{Co}\p{Cn}\p{Cs}]|(?!\s)\p{Cc}/gu

const characterCount = (text: string): number => countOf(text, /\S/gu)

function countOf(text: string, character: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(character)) count++
  return count
}

/** Matches a line of one character: text without a size has nothing else, whatever its words are. */
const singleLine = /^\S$/mu
/** Least area of a visible character, in square points. */
const areaMin = 1e-4

/** Counts characters of `text` that have no area, such as those of font size 0. */
function countFlat(content: PDFPage, text: string): number {
  if (!singleLine.test(text)) return 0
  let count = 0
  withText(pageSource(content), '', (ordered) =>
    ordered.walk({
      onCharacter: ({ text: character, quad: [ulx, uly, urx, ury, llx, lly] }) => {
        const area = Math.abs((urx - ulx) * (lly - uly) - (ury - uly) * (llx - ulx))
        if (area < areaMin && character.trim() !== '') count++
      },
    }),
  )
  return count
}

/** Number of points of a closed rectangle. */
const boxPoints = 5

/** A program may draw a hyphen at the end of a line as a soft one. */
const softHyphen = 0xad

/**
 * Counts pictures, shapes other than lines and rectangles, which may be outlines of letters, and glyphs that are letters to
 * people, but white space or nothing to a search.
 */
function countDrawn(content: PDFPage): Pick<Unseen, 'pictures' | 'drawings'> & { readonly blankInk: number } {
  let [pictures, drawings, blankInk] = [0, 0, 0]
  const boxes = new GlyphBoxes(0)
  const onText = (shown: Text) =>
    shown.walk({
      showGlyph: (font, _trm, glyph, code) => {
        if (glyph < 0 || code === softHyphen || !(code >= 0 && isBlank(String.fromCodePoint(code)))) return
        if (boxes.of(font, glyph, mupdf.Matrix.identity).length > 1) blankInk++
      },
    })
  const onPicture = () => void pictures++
  const onPath = (path: Path) => {
    if (isOutline(path)) drawings++
  }
  const device = new mupdf.Device({
    fillImage: onPicture,
    fillImageMask: onPicture,
    clipImageMask: onPicture,
    fillPath: onPath,
    strokePath: onPath,
    clipPath: onPath,
    clipStrokePath: onPath,
    fillText: onText,
    strokeText: onText,
  })
  try {
    content.runPageContents(device, mupdf.Matrix.identity)
    device.close()
  } finally {
    device.destroy()
    boxes.destroy()
  }
  return { pictures, drawings, blankInk }
}

const isBlank = (character: string): boolean => /\s/u.test(character) || isInkless(character)

function isOutline(path: Path): boolean {
  let [points, most, hasCurves] = [0, 0, false]
  path.walk({
    moveTo: () => {
      points = 1
    },
    lineTo: () => {
      most = Math.max(most, ++points)
    },
    curveTo: () => {
      hasCurves = true
    },
  })
  return hasCurves || most > boxPoints
}

/** A popup shows what its parent contains. */
const popup = 'Popup'
/** Subtypes that show a text or a picture even without an appearance. */
const withPicture: ReadonlySet<string | undefined> = new Set(['FreeText', 'Stamp'])

/** Counts annotations and fields of a page that show, or contain, a text. */
export function countAttached(page: PDFObject): Attached {
  let [annotations, fields] = [0, 0]
  for (const annotation of elementsOf(entry(page, 'Annots'), readingLimits.annotsLengthMax)) {
    if (!isDictionary(annotation)) continue
    const subtype = nameOf(entry(annotation, 'Subtype'))
    if (subtype === popup) continue
    if (subtype === 'Widget') fields += hasValue(annotation) ? 1 : 0
    else if (withPicture.has(subtype) || isWritten(annotation, subtype) || mayShowText(annotation, subtype))
      annotations++
  }
  return { annotations, fields }
}

/** A link shows no text of its own. */
const isWritten = (annotation: PDFObject, subtype: string | undefined): boolean =>
  subtype !== 'Link' && ['Contents', 'RC'].some((key) => isFilled(entry(annotation, key)))

function hasValue(widget: PDFObject): boolean {
  if (isFilled(entry(widget, 'MK', 'CA'))) return true
  let field = widget
  for (let depth = 0; depth < readingLimits.fieldDepthMax && isDictionary(field); depth++) {
    const value = entry(field, 'V')
    if (!isMissing(value)) return isFilled(value)
    field = entry(field, 'Parent')
  }
  return false
}

const isFilled = (value: PDFObject): boolean =>
  isArray(value) || value.isStream() || (textOf(value) ?? '').trim() !== ''
