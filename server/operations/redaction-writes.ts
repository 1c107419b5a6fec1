// Applying redactions: what was marked leaves the layer for good, and so does every earlier state of it.
import { Type } from 'typebox'
import { RedactionsApply } from '../../workers/contract/ops/redactions-apply.js'
import { strict } from '../../workers/contract/ops/strict.js'
import { writeOne } from '../changes/write-one.js'
import { operation } from '../operation.js'
import { LayerPath } from '../schemas/ids.js'
import { itemAnswer } from '../schemas/item-answer.js'

const { pages, annotations } = RedactionsApply.op.properties
/** One of them; neither means every page. */
const RedactionBody = Type.Object({ pages, annotations }, strict)

export const redactionWriteOperations = [
  operation({
    name: 'doc.redactions.apply',
    summary: 'Take what redaction annotations mark out of the layer for good',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/redactions/apply',
    authority: { kind: 'document', capabilities: ['doc.pages.modify', 'doc.annotate.modify', 'doc.redact'] },
    input: { params: LayerPath, body: RedactionBody },
    isBodyOptional: true,
    isChange: true,
    answer: itemAnswer(RedactionsApply.item),
    handle: ({ body }, context) => writeOne(context, { type: 'redactions.apply', ...body }),
  }),
]
