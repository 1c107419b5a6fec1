// Operation that creates links to one picture or file.
import { limits } from '../limits.js'
import { createLink } from '../links/create-link.js'
import { operation } from '../operation/operation.js'
import { LayerPath } from '../schemas/ids.js'
import { LinkCreated, LinkRequest } from '../schemas/link.js'

export const linkOperations = [
  operation({
    name: 'doc.links.create',
    bodyBytesMax: limits.anonymousBodyBytesMax,
    summary: 'Create an address that opens one picture or file for a short time, without a header',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/links',
    // The caller needs what the read needs.
    authority: { kind: 'document', capabilities: [] },
    input: { params: LayerPath, body: LinkRequest },
    answer: LinkCreated,
    handle: ({ body }, context) => createLink(body, context),
  }),
] as const
