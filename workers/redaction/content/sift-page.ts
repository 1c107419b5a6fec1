// Filters the content of a page that the engine has just written without the content under the marks, and of every form
// it draws.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { nameIn } from '../../content/operators.js'
import { matrixOf } from '../../content/placement.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { decodedBytes } from '../../engine/engine-memory.js'
import { rectangleOf } from '../../objects/rectangles.js'
import { entriesOf, entry, isStream, objectNumberOf } from '../../objects/values.js'
import type { PictureBlanker } from '../pictures/picture-blanker.js'
import type { Region } from '../region.js'
import type { RemovedWhole } from '../removed-counts.js'
import { type AnchorFonts, withoutAnchors } from './anchors.js'
import { defaultSpacesOf } from './default-spaces.js'
import { firstGraphics, type Graphics } from './graphics.js'
import { premultiplied } from './matrices.js'
import type { PathMethod } from './path-sieve.js'
import { Sieve } from './sieve.js'
import { UsedResources } from './used-resources.js'

/** Keys of a form that drawing needs (ISO 32000-2, table 93). Others may describe removed content. */
const formKeys = new Set(
  'Type Subtype FormType BBox Matrix Resources Group OC StructParent StructParents Length Filter DecodeParms'.split(
    ' ',
  ),
)
const entriesMax = 1_000

export interface SiftResult {
  readonly change: Change
  readonly region: Region
  readonly removed: RemovedWhole
  readonly paths: PathMethod
  readonly pictures: PictureBlanker
  readonly anchors: AnchorFonts
}

interface SiftContext extends SiftResult {
  readonly seen: Set<number>
}

/** Filters a page's content. Throws `MalformedPdf`. */
export function siftPage(sifted: SiftResult, page: PDFObject): void {
  const contents = entry(page, 'Contents')
  if (!isStream(contents)) return
  const used = new UsedResources(page.getInheritable('Resources'), defaultSpacesOf(page))
  sift({ ...sifted, seen: new Set() }, contents, { used, graphics: firstGraphics })
  page.put('Resources', used.writeTo(sifted.change))
}

interface Place {
  readonly used: UsedResources
  readonly graphics: Graphics
  readonly box?: ReturnType<typeof rectangleOf>
}

/** Filters one stream. Returns false if nothing of it is drawn any more. */
function sift(sifting: SiftContext, stream: PDFObject, { used, graphics, box }: Place): boolean {
  const { change, seen, anchors } = sifting
  const number = objectNumberOf(stream) ?? 0
  // The engine writes an object for each use of a form; in a form that it did not write, nothing was removed.
  if (!change.isNew(number) || seen.has(number)) throw new JobRefusal('MalformedPdf', 'A form of the page draws itself')
  seen.add(number)
  const form = (name: string, at: Graphics): boolean => siftForm(sifting, used.find('XObject', name), at)
  const { content, isPainted } = new Sieve({ ...sifting, used, form }, graphics, box).sift(
    withoutAnchors(contentOf(stream), {
      fonts: anchors.fonts,
      prefix: anchors.prefix,
      isKept: (font) => isKept(used, font),
    }),
  )
  stream.writeStream(Buffer.from(content, 'latin1'))
  return isPainted
}

function siftForm(sifting: SiftContext, form: PDFObject, at: Graphics): boolean {
  const used = new UsedResources(entry(form, 'Resources'), defaultSpacesOf(form))
  const graphics = { ...at, ctm: premultiplied(matrixOf(entry(form, 'Matrix')), at.ctm) }
  const isLeft = sift(sifting, form, { used, graphics, box: rectangleOf(entry(form, 'BBox')) })
  form.put('Resources', used.writeTo(sifting.change))
  for (const [key] of entriesOf(form, entriesMax)) if (!formKeys.has(key)) form.delete(key)
  return isLeft
}

const isKept = (used: UsedResources, font: string): boolean => !used.find('Font', nameIn(font) ?? '').isNull()

const contentOf = (stream: PDFObject): string => decodedBytes(stream).toString('latin1')
