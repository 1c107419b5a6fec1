// Renders a small picture of the first page as it looks when opened: rotated, with annotations and fields.

import { JobRefusal } from '../contract/job-refusal.js'
import { pageBoxes, pageRotation } from '../document/page-boxes.js'
import { openShown } from '../flatten/shown-copy.js'
import { limits } from '../limits.js'
import { drawPage } from '../pictures/draw.js'
import { encode } from '../pictures/encode.js'
import { planPicture } from '../pictures/picture-plan.js'
import { withShownPage } from '../pictures/stand-ins.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Job, OnDocument } from './job.js'
import type { Picture } from './render.js'

export const thumbnail: Job<OnDocument, Picture> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  async run({ source }, { open, limits: { pixelsMax } }) {
    const page = open(source).firstPage
    if (page === undefined) throw new JobRefusal('MalformedPdf', 'The document has no page')
    const document = await withShaping(() => openShown(open, source, page))
    const object = document.pageObject(page)
    const { crop } = pageBoxes(object)
    const rotation = pageRotation(object)
    const [width, height] = [crop.right - crop.left, crop.top - crop.bottom]
    const [shownWidth, shownHeight] = rotation % 180 === 0 ? [width, height] : [height, width]
    const scale = Math.min(limits.thumbnailWidth / shownWidth, limits.thumbnailHeightMax / shownHeight)
    const view = { viewport: { kind: 'scale', scale }, target: undefined, rotation } as const
    const plan = planPicture(crop, view, pixelsMax)
    const pixmap = withShownPage(document, page, (loaded) =>
      drawPage(loaded, { plan, crop, family: 'all', isTransparent: false }),
    )
    try {
      const bytes = await encode(pixmap, { format: 'webp' })
      return { bytes, contentType: 'image/webp', width: plan.width, height: plan.height }
    } finally {
      pixmap.destroy()
    }
  },
}
