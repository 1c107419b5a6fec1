// Opens a document in the viewer, with tokens of its own that read its layers for an hour. They are in the part of the
// address that no server gets, and the viewer takes them out of the address.

import type { Static } from 'typebox'
import { scopesOf } from '../../../auth/scope-presets.js'
import type { DocumentLayers } from '../../../schemas/document-history.js'
import { randomId } from '../../shared/random-id.js'
import { documentPath, withQuery } from '../paths.js'
import type { Session } from '../session.js'
import { issueToken } from '../tokens/issue-token.js'

const scope = scopesOf(['read', 'print', 'download'])

/** Layers that the viewer can show in one window. */
const layersMax = 12

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
    const path = withQuery(`${documentPath(tenantId, docId)}/layers`, { limit: layersMax })
    const { layers } = await client.json<Static<typeof DocumentLayers>>(path)
    const names = new Set([layerName, 'default', ...layers.map((layer) => layer.layerName)])
    // Each window is a reader of its own.
    const userId = `console-${randomId()}`
    const tokens = await Promise.all(
      [...names].map(async (name) => {
        const json = { kind: 'doc', sub: 'console', userId, docId, layerName: name, scope, expiresIn: 3600 }
        return `token=${(await issueToken(client, tenantId, json)).token}`
      }),
    )
    const address = client.address(`view/${encodeURIComponent(docId)}#${tokens.join('&')}`)
    if (opened === null) return void open(address, '_blank', 'noopener')
    opened.opener = null
    opened.location.replace(address)
  } catch (error) {
    opened?.close()
    throw error
  }
}
