// Draws looks, each into a picture of its own, with transparent background.
import type { Matrix, PDFAnnotation, PDFPage, Pixmap } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { type Pixels, withPixels } from '../engine/engine-memory.js'
import { mupdf } from '../engine/library.js'
import { isEngineError } from '../engine/trap.js'
import { limits } from '../limits.js'
import { objectNumberOf } from '../objects/values.js'
import type { LookPlan } from './look-plan.js'
import type { StandInLook } from './look-stand-ins.js'

export interface PlannedLook {
  readonly look: StandInLook
  readonly plan: LookPlan
}

export interface DrawnLook extends PlannedLook {
  readonly pixels: Pixels
}

/** Yields the looks in runs that fit into memory; those that the engine cannot draw are left out. */
export function* drawnLooks(
  document: OpenDocument,
  page: number,
  looks: readonly PlannedLook[],
): Generator<readonly DrawnLook[]> {
  for (const run of runsOf(looks)) {
    const list = document.pdf.newArray()
    for (const { look } of run) list.push(look.standIn)
    yield document.withAnnots(page, list, (loaded) => drawRun(loaded, run))
  }
}

function* runsOf(looks: readonly PlannedLook[]): Generator<readonly PlannedLook[]> {
  let run: PlannedLook[] = []
  let pixels = 0
  for (const planned of looks) {
    const { width, height } = planned.plan.picture
    if (run.length > 0 && pixels + width * height > limits.looksAtOncePixels) {
      yield run
      run = []
      pixels = 0
    }
    run.push(planned)
    pixels += width * height
  }
  if (run.length > 0) yield run
}

function drawRun(page: PDFPage, run: readonly PlannedLook[]): readonly DrawnLook[] {
  const annotations = page.getAnnotations()
  try {
    const byNumber = new Map(annotations.map((annotation) => [objectNumberOf(annotation.getObject()), annotation]))
    const toUserSpace = mupdf.Matrix.invert(page.getTransform())
    return run.flatMap((planned) => {
      const annotation = byNumber.get(objectNumberOf(planned.look.standIn))
      const pixels = annotation && drawLook(annotation, planned.plan, toUserSpace)
      return pixels === undefined ? [] : [{ ...planned, pixels }]
    })
  } finally {
    for (const annotation of annotations) annotation.destroy()
  }
}

function drawLook(annotation: PDFAnnotation, { picture, turn }: LookPlan, toUserSpace: Matrix): Pixels | undefined {
  const { concat } = mupdf.Matrix
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceRGB, [0, 0, picture.width, picture.height], true)
  try {
    pixmap.clear()
    const upright = turn === undefined ? toUserSpace : concat(toUserSpace, turn)
    run(annotation, pixmap, concat(upright, picture.matrix))
    return withPixels(pixmap, (pixels) => ({ ...pixels, samples: pixels.samples.slice() }))
  } catch (error) {
    if (isEngineError(error)) return undefined
    throw error
  } finally {
    pixmap.destroy()
  }
}

function run(annotation: PDFAnnotation, pixmap: Pixmap, matrix: Matrix): void {
  const device = new mupdf.DrawDevice(mupdf.Matrix.identity, pixmap)
  try {
    annotation.run(device, matrix)
    device.close()
  } finally {
    device.destroy()
  }
}
