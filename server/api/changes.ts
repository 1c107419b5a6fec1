// Operation that applies and undoes changes of a layer.
import { opContracts } from '../../workers/contract/ops/index.js'
import { applyChanges } from '../changes/apply-changes.js'
import { operation } from '../operation/operation.js'
import { changeReference } from '../schemas/change-reference.js'
import { ChangeRequest, ChangeResponse } from '../schemas/changes.js'
import { LayerPath } from '../schemas/ids.js'

const needsOfOps = [...new Set(opContracts.map(({ needs }) => needs))]

export const changeOperations = [
  operation({
    name: 'doc.changes',
    summary: 'Apply or undo changes of a layer: each change completely or not at all, and only once',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/changes',
    // The rights that a change needs depend on its ops; whoever may apply none of them is refused before the body is read.
    authority: { kind: 'document', capabilities: [], oneOf: needsOfOps },
    input: { params: LayerPath, body: ChangeRequest },
    resources: true,
    answer: ChangeResponse,
    reference: changeReference,
    handle: ({ body }, context) => applyChanges(context, body),
  }),
] as const
