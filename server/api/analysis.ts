// Operations that judge what changed after a signature or revision.
import { Type } from 'typebox'
import { ChangeAnalysis } from '../../workers/contract/signatures/change-analysis.js'
import { ProtectionLevel } from '../../workers/contract/signatures/protection.js'
import { operation } from '../operation/operation.js'
import { LayerPath, VersionPath } from '../schemas/ids.js'
import { sendLayerAnalysis, sendVersionAnalysis } from '../versions/analysis.js'

const readingForms = { kind: 'document', capabilities: ['doc.forms.read'] } as const

const start = {
  'since.signature': Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Signature to start from, by its index. Either this or `since.revision`.',
    }),
  ),
  'since.revision': Type.Optional(
    Type.Integer({ minimum: 0, description: 'Revision to start from. Either this or `since.signature`.' }),
  ),
  level: Type.Optional(
    Type.Enum(ProtectionLevel.enum, {
      description:
        'Level to judge at in place of the one that the signatures ask for; the result is then exploratory and no verdict on the document.',
    }),
  ),
  detail: Type.Optional(
    Type.Enum(['summary', 'full'], {
      description: 'Findings to list: `summary` (default) leaves out those of permitted changes.',
    }),
  ),
}

const LayerAnalysisQuery = Type.Object(start, { additionalProperties: false })

const VersionAnalysisQuery = Type.Object(
  {
    ...start,
    until: Type.Optional(Type.Integer({ minimum: 0, description: 'Revision to end with; default: the last one.' })),
    policy: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Version of the rules that the caller expects (`policyVersion`), so that caches keep answers of different rules apart. Another one than that of this server: 404.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const analysisOperations = [
  operation({
    name: 'doc.signatures.analysis',
    summary: 'What changed in a layer after a signature or revision, and whether it was permitted',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/signatures/analysis',
    authority: readingForms,
    input: { params: LayerPath, query: LayerAnalysisQuery },
    answer: ChangeAnalysis,
    handle: ({ query }, context) => sendLayerAnalysis(query, context),
  }),
  operation({
    name: 'doc.versions.analysis',
    summary: 'What changed in a version after one of its signatures or revisions, and whether it was permitted',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/versions/analysis/:sha',
    authority: readingForms,
    input: { params: VersionPath, query: VersionAnalysisQuery },
    answer: ChangeAnalysis,
    isImmutable: true,
    handle: ({ params, query }, context) => sendVersionAnalysis(params.sha, query, context),
  }),
] as const
