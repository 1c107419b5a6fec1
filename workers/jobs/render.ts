// Renders a page or a part of it (`doc.render`).
import type { PDFPage } from 'mupdf'
import { pageBoxes } from '../document/page-boxes.js'
import { openShown } from '../flatten/shown-copy.js'
import { drawPage, type Family } from '../pictures/draw.js'
import { type Encoding, encode } from '../pictures/encode.js'
import { planPicture, type View } from '../pictures/picture-plan.js'
import { withShownPage } from '../pictures/stand-ins.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Job, OnDocument } from './job.js'

export interface RenderInput extends OnDocument {
  readonly page: number
  readonly family: Family
  readonly view: View
  readonly encoding: Encoding
  readonly background: 'white' | 'transparent'
}

export interface Picture {
  readonly bytes: Uint8Array
  readonly contentType: `image/${Encoding['format']}`
  readonly width: number
  readonly height: number
}

export const render: Job<RenderInput, Picture> = {
  kind: 'read',
  deadline: { constantMs: 10_000, perMegabyteMs: 20 },
  async run({ source, page, family, view, encoding, background }, { open, limits }) {
    const document = await withShaping(() => (family === 'pages' ? open(source) : openShown(open, source, page)))
    const { crop } = pageBoxes(document.pageObject(page))
    const plan = planPicture(crop, view, limits.pixelsMax)
    const isTransparent = background === 'transparent'
    const draw = (loaded: PDFPage) => drawPage(loaded, { plan, crop, family, isTransparent })
    const pixmap = family === 'pages' ? document.withContent(page, draw) : withShownPage(document, page, draw)
    try {
      const bytes = await encode(pixmap, encoding)
      return { bytes, contentType: `image/${encoding.format}`, width: plan.width, height: plan.height }
    } finally {
      pixmap.destroy()
    }
  },
}
