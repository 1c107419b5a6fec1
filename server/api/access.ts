// Operation that opens the session of a viewer.
import { startAccess } from '../access/start-access.js'
import { operation } from '../operation/operation.js'
import { AccessRequest, DocumentAccess } from '../schemas/access.js'
import { LayerPath } from '../schemas/ids.js'

export const accessOperations = [
  operation({
    name: 'doc.access',
    summary: 'Open the session of a viewer: its rights, and the password of an encrypted document',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/access',
    authority: { kind: 'document', capabilities: ['doc.open'] },
    input: { params: LayerPath, body: AccessRequest },
    answer: DocumentAccess,
    isBodyOptional: true,
    unlocks: true,
    handle: ({ body }, context) => startAccess(body, context),
  }),
] as const
