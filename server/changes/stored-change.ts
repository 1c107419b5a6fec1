// Stored content of an applied change: its response and its undo steps.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MutationMeta } from '../../workers/contract/mutation-meta.js'
import { findOpContract } from '../../workers/contract/ops/index.js'
import { type LayerKey, readContent } from '../layers/content.js'
import type { Deployment } from '../operation/deployment.js'
import type { Content } from '../rows/content.js'
import { changeKind } from './audit-kinds.js'
import { longTextsIn, putText, referTexts, type TextPlace, TextReferences } from './stored-texts.js'

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
  /** Texts that earlier changes store; missing = none. */
  texts: Type.Optional(TextReferences),
})
export type StoredChange = Static<typeof StoredChange>
export type Result = StoredChange['answer']

const storedChangeValidator = Compile(StoredChange)

/** `places`: where earlier changes of the layer store texts. */
export function encodeStoredChange(
  retained: Omit<StoredChange, 'texts'>,
  places: ReadonlyMap<string, TextPlace> = new Map(),
): Uint8Array {
  const text = JSON.stringify(retained)
  if (places.size === 0) return Buffer.from(text, 'utf8')
  const tree: object = JSON.parse(text)
  const texts = referTexts(tree, places)
  return Buffer.from(JSON.stringify(texts.length === 0 ? tree : { ...tree, texts }), 'utf8')
}

export async function readStoredChange(
  deployment: Deployment,
  layer: LayerKey,
  content: Content,
): Promise<StoredChange> {
  const { texts = [], ...change } = await readWhole(deployment, layer, content)
  if (texts.length === 0) return change
  const stored = await textsAt(deployment, layer, texts)
  for (const { at, of } of texts) putText(change, at, textIn(stored, of) ?? '')
  return change
}

/** Returns where the long texts of a change are stored: with it, or with an earlier one that it refers to. */
export async function placesOfTexts(
  deployment: Deployment,
  layer: LayerKey,
  { auditId, content }: { readonly auditId: number; readonly content: Content },
): Promise<ReadonlyMap<string, TextPlace>> {
  const { texts = [], ...change } = await readWhole(deployment, layer, content)
  const own = longTextsIn(change).map((text, index) => [text, [auditId, index]] as [string, TextPlace])
  const stored = await textsAt(deployment, layer, texts)
  const referred = texts.flatMap(({ of }): [string, TextPlace][] => {
    const text = textIn(stored, of)
    return text === undefined ? [] : [[text, of]]
  })
  return new Map([...own, ...referred])
}

async function readWhole(deployment: Deployment, layer: LayerKey, content: Content): Promise<StoredChange> {
  const bytes = await readContent(deployment, layer, content)
  const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (storedChangeValidator.Check(value)) return value
  throw new Error('A stored change does not match its schema')
}

type Texts = ReadonlyMap<number, readonly string[]>

const textIn = (texts: Texts, [auditId, index]: TextPlace): string | undefined => texts.get(auditId)?.[index]

/** Returns the texts that changes store themselves, by audit id; none of one whose content was withheld. */
async function textsAt(deployment: Deployment, layer: LayerKey, references: TextReferences): Promise<Texts> {
  const found = new Map<number, readonly string[]>()
  for (const auditId of new Set(references.map(({ of: [id] }) => id))) {
    const row = await deployment.tables.audits.get([layer.tenant, layer.document, auditId])
    if (!row?.content || row.layerName !== layer.layerName) continue
    const { texts: _, ...change } = await readWhole(deployment, layer, row.content)
    found.set(auditId, longTextsIn(change))
  }
  return found
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
