// Lets the server verify the signatures of a layer of a document.
import type { SignatureSnapshot } from '../../../workers/contract/signatures/signature-snapshot.js'
import type { DocumentsClient } from '../client.js'
import { type Verified, verified } from './verified.js'

export async function verifyDocument(client: DocumentsClient, layerPath: string): Promise<Verified> {
  const snapshot = await client.json<SignatureSnapshot>(`${layerPath}/signatures`)
  return verified(snapshot, (signature) =>
    client.json(`${layerPath}/signatures/analysis`, { query: { 'since.signature': signature } }),
  )
}
