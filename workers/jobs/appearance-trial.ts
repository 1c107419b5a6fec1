// Renders an appearance once before it is accepted, because a slow one would delay everyone who views its page.
import type { Pixmap } from 'mupdf'
import { mupdf } from '../engine/library.js'
import { isTrap } from '../engine/trap.js'
import { hasHeader, openPdf } from '../file/open-pdf.js'
import { limits } from '../limits.js'
import type { Job, OnDocument } from './job.js'

/** Renders the appearance and returns nothing. One that cannot be drawn is refused, with a reason, by the change. */
export const appearanceTrial: Job<OnDocument, null> = {
  kind: 'read',
  deadline: { constantMs: limits.appearanceTrialMs, perMegabyteMs: limits.appearanceTrialPerMegabyteMs },
  run({ source: { path } }) {
    try {
      if (hasHeader(path)) drawn(path)?.destroy()
    } catch (error) {
      if (isTrap(error)) throw error
    }
    return null
  },
}

function drawn(path: string): Pixmap | undefined {
  const document = openPdf(path)
  try {
    if (document.needsPassword() || document.countPages() !== 1) return undefined
    const page = document.loadPage(0)
    try {
      const [left, top, right, bottom] = page.getBounds()
      const scale = limits.appearanceTrialSide / Math.max(1, right - left, bottom - top)
      return page.toPixmap(mupdf.Matrix.scale(scale, scale), mupdf.ColorSpace.DeviceRGB, false, false)
    } finally {
      page.destroy()
    }
  } finally {
    document.destroy()
  }
}
