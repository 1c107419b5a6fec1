// Writes a picture as the appearance of a signature field: as large as its frame permits, in its own proportions, turned
// like other fields (`/MK /R`).
import type { PDFObject } from 'mupdf'
import { naturalBounds, naturalSize, pictureName } from '../../annotations/pictures.js'
import type { Change } from '../../change/change.js'
import { numbers } from '../../text/content-operands.js'
import { frameOf } from '../drawing/widget-frame.js'
import { putNormal } from './put-appearance.js'

export function putPicture(change: Change, widget: PDFObject, picture: PDFObject): void {
  const { pdf } = change
  const { width, height, matrix } = frameOf(widget)
  const size = naturalSize(picture)
  const bounds = naturalBounds(picture)
  const fit = Math.min(width / size.width, height / size.height)
  const across = (fit * size.width) / (bounds.right - bounds.left)
  const up = (fit * size.height) / (bounds.top - bounds.bottom)
  const left = (width - fit * size.width) / 2 - bounds.left * across
  const bottom = (height - fit * size.height) / 2 - bounds.bottom * up
  const content = `q ${across.toFixed(6)} 0 0 ${up.toFixed(6)} ${numbers(left, bottom)} cm /${pictureName} Do Q`
  const form = pdf.addStream(Buffer.from(content, 'latin1'), {})
  form.put('Type', pdf.newName('XObject'))
  form.put('Subtype', pdf.newName('Form'))
  form.put('BBox', [0, 0, width, height])
  form.put('Matrix', [...matrix])
  const pictures = pdf.newDictionary()
  pictures.put(pictureName, picture)
  const resources = pdf.newDictionary()
  resources.put('XObject', pictures)
  form.put('Resources', resources)
  putNormal(change, widget, form)
}
