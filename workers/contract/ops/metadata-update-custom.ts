// Changes entries of the information dictionary that are not standardised.
import { type Static, Type } from 'typebox'
import { CustomMetadata } from '../custom-metadata.js'
import { MutationMeta } from '../mutation-meta.js'
import { Nullable } from '../nullable.js'
import { skippedMembers } from '../skipped-members.js'
import { strict } from '../strict.js'
import { describing } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

/**
 * Changes by key; null removes the entry. Keys are names (ISO 32000-2, annex C: 127 bytes), and strings of the engine
 * end at U+0000.
 */
export const CustomMetadataPatch = Type.Record(
  Type.String({ pattern: '^[^\\u0000]{1,120}$' }),
  Nullable(Type.String({ maxLength: 32_767, pattern: '^[^\\u0000]*$' })),
  strict,
)
export type CustomMetadataPatch = Static<typeof CustomMetadataPatch>

export const MetadataUpdateCustom = opContract({
  type: 'metadata.updateCustom',
  summary: 'Change custom entries of the metadata',
  op: { patch: CustomMetadataPatch },
  item: { custom: CustomMetadata, ...skippedMembers, meta: MutationMeta },
  needs: describing,
  protection: 'content',
  carries: 'own',
  isBatchable: true,
  route: {
    methods: ['POST', 'PATCH'],
    path: '/metadata/custom',
    auditKind: 'metadata.updateCustom',
    body: routeBody(CustomMetadataPatch, (patch) => ({ patch })),
  },
})
