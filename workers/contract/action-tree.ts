// Schema of an action and its successors (ISO 32000-2, 12.6).
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'
import { CountFromZero } from './numbers.js'
import { strict } from './strict.js'
import { Words } from './words.js'

export const ActionType = Words([
  'unknown',
  'goto',
  'goto-remote',
  'goto-embedded',
  'launch',
  'thread',
  'uri',
  'sound',
  'movie',
  'hide',
  'named',
  'submit-form',
  'reset-form',
  'import-data',
  'javascript',
  'set-ocg-state',
  'rendition',
  'transition',
  'goto-3d-view',
])
export type ActionType = Static<typeof ActionType>

export const ActionNode = Type.Cyclic(
  {
    ActionNode: Type.Object({
      type: ActionType,
      /** Name in the file: `GoTo`. */
      subtype: Type.String(),
      script: Type.Optional(Type.String()),
      next: Type.Array(Type.Ref('ActionNode')),
    }),
  },
  'ActionNode',
)
export type ActionNode = Static<typeof ActionNode>

/** Warnings in the order of their bits in `warningFlags`. */
export const actionWarnings = ['cycle-dropped', 'malformed-next', 'incomplete'] as const
const ActionWarning = Words(actionWarnings)
export type ActionWarning = Static<typeof ActionWarning>

export const ActionTree = Type.Object({
  root: Nullable(ActionNode),
  incomplete: Type.Boolean(),
  warningFlags: CountFromZero,
  warnings: Type.Array(ActionWarning),
})
export type ActionTree = Static<typeof ActionTree>

/** Schema of writes: members that describe a read may be left out. */
export const WrittenActionTree = Type.Object(
  {
    ...Type.Partial(ActionTree).properties,
    root: ActionTree.properties.root,
  },
  strict,
)
export type WrittenActionTree = Static<typeof WrittenActionTree>
