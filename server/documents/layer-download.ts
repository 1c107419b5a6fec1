// `doc.download`: the version a layer sits over, with the layer's edits. A layer nobody edited has none.
import type { BytesAnswer, DocumentContext } from '../operation.js'
import { downloadVersion } from './versions.js'
import { viewOf } from './view.js'

export async function downloadLayer(context: DocumentContext): Promise<BytesAnswer> {
  return downloadVersion((await viewOf(context)).base.sha256, context)
}
