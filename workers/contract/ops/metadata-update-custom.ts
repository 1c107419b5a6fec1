// Changes entries of the information dictionary under keys that no standard knows.
import { type Static, Type } from 'typebox'
import { CustomMetadata } from '../custom-metadata.js'
import { Nullable } from '../nullable.js'
import { MutationMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

/** Null takes the entry away. Keys are names (ISO 32000-2, annex C: 127 bytes), and strings of the engine end at a NUL. */
export const CustomMetadataPatch = Type.Record(
  Type.String({ pattern: '^[^\\u0000]{1,120}$' }),
  Nullable(Type.String({ maxLength: 32_767, pattern: '^[^\\u0000]*$' })),
  strict,
)
export type CustomMetadataPatch = Static<typeof CustomMetadataPatch>

export const MetadataUpdateCustom = {
  op: Type.Object({ type: Type.Literal('metadata.updateCustom'), patch: CustomMetadataPatch }, strict),
  item: Type.Object({
    type: Type.Literal('metadata.updateCustom'),
    custom: CustomMetadata,
    /** Keys an undo left alone, because they were changed since. */
    skipped: Type.Optional(Type.Array(Type.String())),
    meta: MutationMeta,
  }),
} as const satisfies OpShape
