// Leads to a place in the document.
import type { ScrollScope } from '@embedpdf/plugin-scroll'
import type { Destination } from '../../../../workers/contract/destination.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { jump } from './places.js'

export function goTo(opened: OpenedDocument, scroll: ScrollScope, destination: Destination): void {
  const pageIndex = opened.indexOf(destination.page.objectNumber)
  if (pageIndex === undefined) return
  const { userUnit } = opened.pageAt(pageIndex)
  const top = 'y' in destination ? destination.y : undefined
  const left = 'x' in destination ? destination.x : undefined
  jump(() =>
    scroll.scrollToPage({
      pageNumber: pageIndex + 1,
      ...(top == null ? {} : { pageCoordinates: { x: (left ?? 0) * userUnit, y: top * userUnit } }),
      behavior: 'instant',
    }),
  )
}
