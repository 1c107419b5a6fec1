// Operations of the session of a viewer.
import { startAccess } from '../access/start-access.js'
import { limits } from '../limits.js'
import { reserveNumbers, reserving } from '../object-numbers/reserve-numbers.js'
import { operation } from '../operation/operation.js'
import { AccessRequest, DocumentAccess } from '../schemas/access.js'
import { LayerPath } from '../schemas/ids.js'
import { NumbersRequest, ReservedNumbers } from '../schemas/object-numbers.js'

export const accessOperations = [
  operation({
    name: 'doc.access',
    bodyBytesMax: limits.anonymousBodyBytesMax,
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
  operation({
    name: 'doc.printed',
    summary: 'Say that the document is printed, for the log of reads',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/printed',
    authority: { kind: 'document', capabilities: ['doc.print'] },
    input: { params: LayerPath },
    answer: 'none',
    // The request itself is what the log records.
    handle: async () => undefined,
  }),
  operation({
    name: 'doc.objectNumbers.reserve',
    bodyBytesMax: limits.anonymousBodyBytesMax,
    summary: 'Reserve object numbers, so that objects have their names before they are created',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/object-numbers',
    authority: reserving,
    input: { params: LayerPath, body: NumbersRequest },
    answer: ReservedNumbers,
    handle: async ({ body }, context) => {
      const { isContinued: _, ...reserved } = await reserveNumbers(context, body.count)
      return reserved
    },
  }),
] as const
