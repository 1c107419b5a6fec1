// `doc.annotations.list` and `listAll`: annotations and their authorship are cached together; the audit id at which the list
// is exact is added per request, because it increases with every change of the document.

import type { CachedAnswer } from '../caches/answer-cache.js'
import type { DocumentContext, ReadyJson } from '../operation/operation.js'
import { attributedList, hasAuthors } from './attribution.js'
import { framed } from './framed.js'
import type { PinName } from './pins.js'
import { readCachedJson } from './read.js'

/**
 * Pins of the lists: they depend on the layout, because links target pages, and on forms, because widgets are listed.
 */
const pins = {
  all: ['annotationsVersion', 'layoutVersion'],
  page: ['annotationVersion', 'widgetVersion', 'layoutVersion'],
} as const satisfies Readonly<Record<string, readonly PinName[]>>

export async function sendAnnotations(context: DocumentContext, page?: number): Promise<ReadyJson> {
  const dependencies = page === undefined ? { pins: pins.all } : { pins: pins.page, page }
  const list = await readCachedJson(context, { ...dependencies, parts: ['annotations'] }, async (source, view) => {
    const read = await context.deployment.workers.runJson(
      'annotations',
      page === undefined ? { source } : { source, page },
    )
    return hasAuthors(view, context) ? attributedList(read, context) : read
  })
  const end = `,"auditHead":${context.document.row.auditId}}`
  return framed(context, opened(list), { after: end, name: String(context.document.row.auditId) })
}

/** Removes the closing brace: the cached bytes are an object with members. */
const opened = (list: CachedAnswer): CachedAnswer => ({ ...list, bytes: list.bytes.subarray(0, -1) })
