// Draws every appearance of the annotations or of the widgets of a page (`doc.annotations.appearances`,
// `doc.forms.appearances`).
import type { AppearanceMode, AppearancePicture } from '../contract/appearance-batch.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { pageBoxes } from '../document/page-boxes.js'
import { looksOf } from '../flatten/looks.js'
import { hasAnnotations, openShown } from '../flatten/shown-copy.js'
import { limits } from '../limits.js'
import { drawnLooks, type PlannedLook } from '../pictures/draw-looks.js'
import { type Encoding, encodePixels } from '../pictures/encode.js'
import { planLooks } from '../pictures/look-plan.js'
import { type LookOwner, readLooks } from '../pictures/look-stand-ins.js'
import type { View } from '../pictures/picture-plan.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Job, OnDocument } from './job.js'

export interface AppearancePicturesInput extends OnDocument {
  readonly page: number
  readonly owner: LookOwner
  readonly modes: readonly AppearanceMode[]
  readonly view: Omit<View, 'target'>
  readonly encoding: Encoding
}

export interface AppearancePictures {
  readonly appearances: readonly DrawnAppearance[]
  /** Picture files one after another, in the order of the appearances. */
  readonly bytes: Uint8Array
}

export interface DrawnAppearance extends Omit<AppearancePicture, 'resources'> {
  readonly sizeBytes: number
}

export const appearancePictures: Job<AppearancePicturesInput, AppearancePictures> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 20 },
  async run({ source, page, owner, modes, view, encoding }, { open, limits: { pixelsMax } }) {
    const { document, looks } = await withShaping(() => {
      const document = openShown(open, source, page)
      if (!hasAnnotations(document, page)) return { document, looks: [] }
      return { document, looks: readLooks(looksOf(document, page, owner), page, modes) }
    })
    const plans = planLooks(looks, { crop: pageBoxes(document.pageObject(page)).crop, view, pixelsMax })
    const planned = looks.flatMap((look, index): PlannedLook[] => {
      const plan = plans[index]
      return plan === undefined ? [] : [{ look, plan }]
    })
    const appearances: DrawnAppearance[] = []
    const files: Uint8Array[] = []
    let left = limits.looksBytesMax
    for (const run of drawnLooks(document, page, planned)) {
      for (const { look, plan, pixels } of run) {
        const file = await encodePixels(pixels, encoding)
        left -= file.length
        if (left < 0) throw tooLarge()
        files.push(file)
        appearances.push({
          ref: look.ref,
          mode: look.mode,
          state: look.state,
          rect: plan.rect,
          width: pixels.width,
          height: pixels.height,
          format: encoding.format,
          contentType: `image/${encoding.format}`,
          sizeBytes: file.length,
        })
      }
    }
    return { appearances, bytes: Buffer.concat(files) }
  },
}

const tooLarge = (): JobRefusal =>
  new JobRefusal('PayloadTooLarge', 'The pictures of the appearances are too large together; use a smaller scale', {
    limit: 'looksBytesMax',
    max: limits.looksBytesMax,
  })
