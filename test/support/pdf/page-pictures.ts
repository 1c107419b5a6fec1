// Pictures of a page of a layer by our renderer and by poppler, at one pixel per point, rotated like the page.
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { QuarterTurn } from '../../../workers/contract/quarter-turn.js'
import { render } from '../../../workers/jobs/render.js'
import type { Family } from '../../../workers/pictures/draw.js'
import type { ChangingLayer } from './changing.js'
import { judged } from './judges.js'
import { difference, type Pixels, pixelsOf } from './pictures.js'
import { runner } from './running.js'
import { Workshop } from './workshop.js'

export type PagePictures = Readonly<Record<'ours' | 'poppler', Pixels>>

export interface Shown {
  /** Object number; default: the first page. */
  readonly page?: number
  /** `pages` = page content only. */
  readonly family?: Family
  /** Rotation of our picture; default: that of the page. */
  readonly rotation?: QuarterTurn
}

export async function pagePictures(
  t: Test,
  layer: ChangingLayer,
  { page, family = 'all', ...asked }: Shown = {},
): Promise<PagePictures> {
  const path = layer.sent()
  const { pages } = layer.reads(t).layout()
  const index = page === undefined ? 0 : pages.findIndex(({ ref }) => ref.objectNumber === page)
  const { ref, rotation = 0 } = pages[index] ?? {}
  if (ref === undefined) throw new Error(`There is no page ${page}`)
  const picture = await runner(t)(render, {
    source: Workshop.of(t).source(readFileSync(path)),
    page: ref.objectNumber,
    family,
    view: { viewport: { kind: 'scale', scale: 1 }, target: undefined, rotation: asked.rotation ?? rotation },
    encoding: { format: 'png' },
    background: 'white',
  })
  const place = ['-f', String(index + 1), '-l', String(index + 1)]
  const drawn = judged('pdftoppm', ['-r', '72', '-png', '-cropbox', ...place, path])
  return { ours: await pixelsOf(picture.bytes), poppler: await pixelsOf(drawn) }
}

/** Maximum mean difference of a colour channel: a single small icon that moved exceeds it. */
export const differenceMax = 0.01

export function looksAlike(t: Test, before: PagePictures, after: PagePictures, what = ''): void {
  for (const judge of ['ours', 'poppler'] as const) {
    const found = difference(before[judge], after[judge])
    t.ok(found < differenceMax, `${what} ${judge}: ${found}`)
  }
}
