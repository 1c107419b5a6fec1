// A conflict between the pending edits of a layer and a new version of its document, as it was resolved.
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'

export const MergeConflict = Type.Object({
  objectNumber: Type.Integer({ minimum: 0, description: 'Object of the file; 0 is the trailer' }),
  path: Nullable(Type.String({ description: 'Entry of the object, such as `/Rect`; null = the object as a whole' })),
  version: Type.Enum(['changed', 'removed'], { description: 'What the new version did' }),
  layer: Type.Enum(['changed', 'removed'], { description: 'What the pending edits of the layer did' }),
  kept: Type.Enum(['layer', 'version'], { description: 'The side that the merged layer shows' }),
  reason: Type.Enum(['both-changed', 'removed', 'locked'], {
    description: 'Both sides changed it, one side removed it, or a signature of the new version locks it',
  }),
})
export type MergeConflict = Static<typeof MergeConflict>

/** Conflicts of one merge; the list is limited, the count is not. */
export const MergeConflicts = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Number of all conflicts' }),
  conflicts: Type.Array(MergeConflict, { description: 'The conflicts, a hundred at most' }),
})
export type MergeConflicts = Static<typeof MergeConflicts>

/** Maximum number of listed conflicts. */
export const conflictsMax = 100

/**
 * Why a layer stays over its version:
 * - `pages`: both sides changed which pages there are, or their order.
 * - `signed-page`: the layer removed a page that has a signed or locked field in the new version.
 * - `redaction`: the new version was redacted, and a pending edit from before may contain what was removed.
 * - `failed`: a file is damaged, or the merge exceeds a limit.
 */
export const behindReasons = ['pages', 'signed-page', 'redaction', 'failed'] as const
export type BehindReason = (typeof behindReasons)[number]
