// Warns when a request names a layer that nobody has edited: the name may be misspelt.
import type { DocumentsClient } from './client.js'

/** Returns the remark; undefined if the layer has edits. */
export async function remarkOnLayer(
  client: DocumentsClient,
  layerPath: string,
  layer: string,
): Promise<string | undefined> {
  const { layerVersion } = await client.json<{ readonly layerVersion: number }>(`${layerPath}/manifest`)
  return layerVersion > 0 ? undefined : `Nobody has edited the layer "${layer}": it shows the document as uploaded.`
}
