// Schema of an action and its successors (ISO 32000-2, 12.6).
import { type Static, type TSchema, Type } from 'typebox'
import { Destination } from './destination.js'
import { Nullable } from './nullable.js'
import { CountFromOne, CountFromZero } from './numbers.js'
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

/** Field or annotation that an action is about. */
const ActionTarget = Type.Union([
  Type.Object({ kind: Type.Literal('name'), name: Type.String() }),
  Type.Object({ kind: Type.Literal('objectNumber'), objectNumber: CountFromOne }),
])
export type ActionTarget = Static<typeof ActionTarget>

/** Flags of a form that is sent away (ISO 32000-2, table 240). */
const SubmitFlags = Type.Object({
  /** All flags, as in the file. */
  raw: CountFromZero,
  exclude: Type.Boolean(),
  includeNoValueFields: Type.Boolean(),
  format: Words(['fdf', 'html', 'xfdf', 'pdf']),
  method: Words(['post', 'get']),
  submitCoordinates: Type.Boolean(),
  includeAppendSaves: Type.Boolean(),
  includeAnnotations: Type.Boolean(),
  canonicalFormat: Type.Boolean(),
  exclNonUserAnnots: Type.Boolean(),
  exclFKey: Type.Boolean(),
  embedForm: Type.Boolean(),
})

const Submission = Type.Object({
  url: Type.String(),
  fields: Nullable(Type.Array(ActionTarget)),
  flags: SubmitFlags,
  charSet: Type.Optional(Type.String()),
})
export type Submission = Static<typeof Submission>

/** Members that say what an action does; the type of the action determines which it has. */
const payloadMembers = {
  script: Type.Optional(Type.String()),
  destination: Type.Optional(Destination),
  uri: Type.Optional(Type.String()),
  /** True: the place of the click is added to the URI. */
  isMap: Type.Optional(Type.Boolean()),
  /** Name of what a viewer does: `NextPage`. */
  name: Type.Optional(Type.String()),
  /** Fields or annotations that are hidden or shown. */
  targets: Type.Optional(Type.Array(ActionTarget)),
  hide: Type.Optional(Type.Boolean()),
  /** Fields that are reset; null = all. */
  fields: Type.Optional(Nullable(Type.Array(ActionTarget))),
  /** True: all fields but those are reset. */
  exclude: Type.Optional(Type.Boolean()),
  filePath: Type.Optional(Type.String()),
  payload: Type.Optional(Submission),
}
const ActionPayload = Type.Object(payloadMembers)
export type ActionPayload = Static<typeof ActionPayload>

/** Written out: the compiler does not come to an end with a type that it derives from the schema. */
export interface ActionNode extends ActionPayload {
  readonly type: ActionType
  /** Name in the file: `GoTo`. */
  readonly subtype: string
  readonly next: readonly ActionNode[]
}

const NodeMembers: TSchema = Type.Object({
  type: ActionType,
  /** Name in the file: `GoTo`. */
  subtype: Type.String(),
  ...payloadMembers,
  next: Type.Array(Type.Ref('ActionNode')),
})
export const ActionNode = Type.Unsafe<ActionNode>(Type.Cyclic({ ActionNode: NodeMembers }, 'ActionNode'))

/** Warnings in the order of their bits in `warningFlags`. */
export const actionWarnings = ['cycle-dropped', 'malformed-next', 'incomplete', 'payload-dropped'] as const
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
