// Operations that judge what changed after a signature or revision.
import { Type } from 'typebox'
import { CountFromZero } from '../../workers/contract/numbers.js'
import { ChangeAnalysis } from '../../workers/contract/signatures/change-analysis.js'
import { policyVersion } from '../../workers/contract/signatures/policy-version.js'
import { ProtectionLevel } from '../../workers/contract/signatures/protection.js'
import { pinsNamed } from '../documents/pins.js'
import { operation } from '../operation/operation.js'
import { LayerPath, VersionPath } from '../schemas/ids.js'
import { sendLayerAnalysis, sendVersionAnalysis } from '../versions/analysis.js'

const readingForms = { kind: 'document', capabilities: ['doc.forms.read'] } as const

const start = {
  'since.signature': Type.Optional(CountFromZero),
  'since.revision': Type.Optional(CountFromZero),
  level: Type.Optional(ProtectionLevel),
  detail: Type.Optional(Type.Enum(['summary', 'full'])),
}

const LayerAnalysisQuery = Type.Object(start, { additionalProperties: false })

const VersionAnalysisQuery = Type.Object(
  { ...start, until: Type.Optional(CountFromZero), policy: Type.Optional(Type.Integer({ minimum: 1 })) },
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
    versioned: {
      // The policy may change with an upgrade of the server.
      pins: ['docVersion', 'policy'],
      current: async (_input, context) => ({ ...(await pinsNamed(['docVersion'], context)), policy: policyVersion }),
      isInherited: false,
    },
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
    // The policy may change with an upgrade of the server.
    isImmutable: { query: 'policy' },
    handle: ({ params, query }, context) => sendVersionAnalysis(params.sha, query, context),
  }),
] as const
