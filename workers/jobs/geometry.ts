// Reads where the glyphs of a page stand (`doc.geometry`): those of its content, without annotations and fields.
import { JobRefusal } from '../contract/job-refusal.js'
import type { PageGeometry } from '../contract/page-geometry.js'
import { Reading } from '../document/reading.js'
import { readGeometry } from '../pages/geometry.js'
import type { Job, OnDocument } from './job.js'

export interface GeometryInput extends OnDocument {
  readonly page: number
}

export const geometry: Job<GeometryInput, PageGeometry> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run({ source, page }, { open, limits }) {
    const document = open(source)
    const { glyphsMax: max, itemsMax } = limits
    const space = new Reading(document, itemsMax).spaceOf(page)
    const found = document.withContent(page, (loaded) => readGeometry(loaded, space, max))
    if (found !== undefined) return found
    throw new JobRefusal('PayloadTooLarge', `The page has more than ${max} glyphs`, { limit: 'glyphsMax', max })
  },
}
