// `doc.download`: the version a layer sits over, with the layer's edits. A layer nobody edited has none.
import type { BytesAnswer, DocumentContext } from '../operation.js'
import { downloadVersion } from './versions.js'
import { proveAccess, viewOf } from './view.js'

export async function downloadLayer(context: DocumentContext): Promise<BytesAnswer> {
  const view = viewOf(context)
  await proveAccess(view, context)
  return downloadVersion(view.sha256, context)
}
