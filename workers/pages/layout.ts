// Reads position, size, boxes and label of every page, and the names of pages.
import type { PageLayout } from '../contract/page-layout.js'
import type { PageList } from '../contract/page-list.js'
import { pageRef } from '../contract/page-ref.js'
import { pageBoxes, pageRotation, userUnit } from '../document/page-boxes.js'
import { PageSpace, tidy } from '../document/page-space.js'
import type { Reading } from '../document/reading.js'
import { pageActions } from '../targets/actions.js'
import { namedPages } from './named-pages.js'
import { pageLabels } from './page-labels.js'

export function readLayout(reading: Reading): PageList {
  const { pages } = reading.document
  const labels = pageLabels(reading.catalog, pages.length)
  return {
    pageCount: pages.length,
    pages: pages.map((page, index) => pageLayout(reading, { page, index, label: labels[index] ?? null })),
    namedPages: namedPages(reading),
  }
}

interface Place {
  readonly page: number
  readonly index: number
  readonly label: string | null
}

function pageLayout(reading: Reading, { page, index, label }: Place): PageLayout {
  const object = reading.pageObject(page)
  const { media, crop, bleed, trim, art } = pageBoxes(object)
  const space = new PageSpace(crop)
  const actions = pageActions(reading, object)
  if (label !== null) reading.budget.takeText(label)
  return {
    index,
    ref: pageRef(page),
    label,
    size: { width: tidy(crop.right - crop.left), height: tidy(crop.top - crop.bottom) },
    rotation: pageRotation(object),
    userUnit: userUnit(object),
    boxes: {
      media: space.toPageBox(media),
      crop: space.toPageBox(crop),
      bleed: space.toPageBox(bleed),
      trim: space.toPageBox(trim),
      art: space.toPageBox(art),
    },
    pdfCropBox: crop,
    ...(actions !== undefined && { actions }),
  }
}
