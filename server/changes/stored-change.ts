// Stored content of an applied change: its response and its undo steps.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MutationMeta } from '../../workers/contract/mutation-meta.js'
import { findOpContract } from '../../workers/contract/ops/index.js'
import { type LayerKey, readContent } from '../layers/content.js'
import type { Deployment } from '../operation/deployment.js'
import type { Content } from '../rows/content.js'
import { changeKind } from './audit-kinds.js'

const Open = { additionalProperties: true } as const
const Item = Type.Object({ type: Type.String() }, Open)

const Answer = Type.Object({ items: Type.Array(Item), meta: MutationMeta })

const Group = Type.Union([Type.String(), Type.Null()])

/** Undo step for the group of an annotation, which is stored by the server and not in the PDF. */
export const GroupStep = Type.Object({
  annotation: Type.Integer({ minimum: 1 }),
  page: Type.Integer({ minimum: 1 }),
  before: Group,
  after: Group,
})
export type GroupStep = Static<typeof GroupStep>

const StoredChange = Type.Object({
  answer: Answer,
  /** Steps for a worker, in execution order. Null = the change cannot be undone. */
  undo: Type.Union([Type.Array(Item), Type.Null()]),
  groups: Type.Array(GroupStep),
})
export type StoredChange = Static<typeof StoredChange>
export type Result = StoredChange['answer']

const storedChangeValidator = Compile(StoredChange)

export const encodeStoredChange = (retained: StoredChange): Uint8Array => Buffer.from(JSON.stringify(retained), 'utf8')

export async function readStoredChange(
  deployment: Deployment,
  layer: LayerKey,
  content: Content,
): Promise<StoredChange> {
  const bytes = await readContent(deployment, layer, content)
  const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (storedChangeValidator.Check(value)) return value
  throw new Error('A stored change does not match its schema')
}

/** Returns the response body: the item of a single-op route, all items of any other change. */
export function payloadOf(kind: string, answer: Result): unknown {
  const [first] = answer.items
  return kind === changeKind || first === undefined ? answer : withoutType(first)
}

/** Returns an item as the response of a single-op route. */
export function withoutType({ type, ...members }: Static<typeof Item>): Readonly<Record<string, unknown>> {
  const omitted = findOpContract(type)?.route?.omitted ?? []
  return omitted.length === 0
    ? members
    : Object.fromEntries(Object.entries(members).filter(([name]) => !omitted.includes(name)))
}
