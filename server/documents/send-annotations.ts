// `doc.annotations.list` and `listAll`: what a worker reads and who wrote it are kept together; the audit id the list is
// exact at is of this very request, and moves with every change of the document.
import { type DocumentContext, ReadyJson } from '../operation.js'
import { attributedList } from './attribution.js'
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
    const list = await context.deployment.workers.run('annotations', page === undefined ? { source } : { source, page })
    return edits ? attributedList(list, context) : list
  })
  return at(context.document.row.auditId, kept)
}

function at(auditHead: number, { bytes, etag }: { readonly bytes: Uint8Array; readonly etag: string }): ReadyJson {
  const end = Buffer.from(`,"auditHead":${auditHead}}`)
  // The kept bytes are an object with members.
  return new ReadyJson(Buffer.concat([bytes.subarray(0, -1), end]), etag.replace(/"$/, `-${auditHead}"`))
}
