// `doc.annotations.list` and `listAll`: what a worker reads and who wrote it are kept together; the audit id the list is
// exact at is of this very request, and moves with every change of the document.

import type { Kept } from '../caches/read-cache.js'
import type { DocumentContext, ReadyJson } from '../operation/operation.js'
import { attributedList } from './attribution.js'
import { framed } from './framed.js'
import type { PinName } from './pins.js'
import { readCachedJson } from './read.js'

/** Links lead to pages, which may have gone; of a page, its widgets are listed too. */
const pins = {
  all: ['annotationsVersion', 'layoutVersion'],
  page: ['annotationVersion', 'widgetVersion', 'layoutVersion'],
} as const satisfies Readonly<Record<string, readonly PinName[]>>

export async function sendAnnotations(context: DocumentContext, page?: number): Promise<ReadyJson> {
  const dependencies = page === undefined ? { pins: pins.all } : { pins: pins.page, page }
  const kept = await readCachedJson(context, { ...dependencies, parts: ['annotations'] }, async (source, { edits }) => {
    const list = await context.deployment.workers.runJson(
      'annotations',
      page === undefined ? { source } : { source, page },
    )
    return edits ? attributedList(list, context) : list
  })
  const end = `,"auditHead":${context.document.row.auditId}}`
  return framed(context, opened(kept), { after: end, name: String(context.document.row.auditId) })
}

/** The kept bytes are an object with members. */
const opened = (kept: Kept): Kept => ({ ...kept, bytes: kept.bytes.subarray(0, -1) })
