// Opens a document in the viewer, with a token of its own that reads one layer for an hour. The token is in the part of
// the address that no server gets, and the viewer takes it out of the address.
import { reading } from '../scopes.js'
import type { Session } from '../session.js'
import { issueToken } from '../tokens/issue-token.js'

const saving = ['doc.download', 'doc.print', 'doc.print.high']

export interface OpenedLayer {
  readonly tenantId: string
  readonly docId: string
  readonly layerName: string
}

/** Throws `ApiError`. */
export async function openDocument({ client }: Session, { tenantId, docId, layerName }: OpenedLayer): Promise<void> {
  // Browsers open windows only while they answer a click, so it is opened before the token is there.
  const opened = open('', '_blank')
  try {
    const json = { kind: 'doc', sub: 'console', docId, layerName, scope: [...reading, ...saving], expiresIn: 3600 }
    const { token } = await issueToken(client, tenantId, json)
    const query = layerName === 'default' ? '' : `?layer=${encodeURIComponent(layerName)}`
    const address = client.address(`view/${encodeURIComponent(docId)}${query}#token=${token}`)
    if (opened === null) return void open(address, '_blank', 'noopener')
    opened.opener = null
    opened.location.replace(address)
  } catch (error) {
    opened?.close()
    throw error
  }
}
