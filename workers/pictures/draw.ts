// Renders a page to raw pixels. Annotations and form fields are drawn only on request, and nothing outside of the crop
// box is drawn.
import type { Matrix, PDFAnnotation, PDFPage, Pixmap } from 'mupdf'
import type { PdfRect } from '../contract/pdf-rect.js'
import { mupdf } from '../engine/library.js'
import type { PicturePlan } from './picture-plan.js'
import { standsForField, turnOf } from './stand-ins.js'

/** Parts of a page that are drawn. `pages`: the content alone. The others add annotations, form fields, or both. */
export const families = ['pages', 'annotations', 'fields', 'all'] as const
export type Family = (typeof families)[number]

export interface Drawing {
  readonly plan: PicturePlan
  readonly crop: PdfRect
  readonly family: Family
  readonly isTransparent: boolean
}

/**
 * Draws a page. Returns a pixmap, which the caller destroys. Colours of transparent ones are premultiplied by alpha.
 */
export function drawPage(page: PDFPage, { plan, crop, family, isTransparent }: Drawing): Pixmap {
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, [0, 0, plan.width, plan.height], isTransparent)
  const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap)
  try {
    if (isTransparent) pixmap.clear()
    else pixmap.clear(255)
    clip(device, crop, plan.matrix)
    // The engine first applies its own page transformation (rotation, unit and origin), which is inverted here.
    const matrix = concat(invert(page.getTransform()), plan.matrix)
    page.runPageContents(device, matrix)
    if (family !== 'pages') drawAnnotations(page, device, { plan, matrix, family })
    device.popClip()
    device.close()
    return pixmap
  } catch (error) {
    pixmap.destroy()
    throw error
  } finally {
    device.destroy()
  }
}

const { invert } = mupdf.Matrix
const concat = (...matrices: readonly Matrix[]): Matrix => matrices.reduce(mupdf.Matrix.concat)

interface AnnotationDrawing extends Pick<Drawing, 'plan' | 'family'> {
  readonly matrix: Matrix
}

function drawAnnotations(page: PDFPage, device: Device, { plan, matrix, family }: AnnotationDrawing): void {
  const [shown, widgets] = [page.getAnnotations(), page.getWidgets()]
  const drawAs = (kind: Family, annotation: PDFAnnotation): void => {
    if (family !== 'all' && family !== kind) return
    // Upright annotations are upright in this picture, whatever the rotation of the page.
    const turn = turnOf(annotation, plan.rotation)
    annotation.run(device, turn === undefined ? matrix : concat(invert(page.getTransform()), turn, plan.matrix))
  }
  try {
    for (const one of shown) drawAs(standsForField(one) ? 'fields' : 'annotations', one)
    for (const one of widgets) drawAs('fields', one)
  } finally {
    for (const one of [...shown, ...widgets]) one.destroy()
  }
}

type Device = InstanceType<typeof mupdf.DrawDevice>

function clip(device: Device, crop: PdfRect, matrix: Matrix): void {
  const path = new mupdf.Path()
  try {
    path.rect(crop.left, crop.bottom, crop.right, crop.top)
    device.clipPath(path, false, matrix)
  } finally {
    path.destroy()
  }
}
