// Completes the output of the worker with pins, authorship and content, ready to be committed. Only blobs are stored at
// this point; they are invisible until a row names them.
import type { EffectList } from '../../workers/change/effects.js'
import type { CacheDelta, CachePins } from '../../workers/contract/mutation-meta.js'
import type { Item } from '../../workers/contract/ops/index.js'
import type { ChangeOutput } from '../../workers/jobs/change.js'
import type { ObjectImage } from '../../workers/objects/object-image.js'
import { refuseDamaged } from '../documents/damaged-file.js'
import { isWorking } from '../documents/pins.js'
import { isSealed, storeContents } from '../layers/content.js'
import { type MovedPins, movePins } from '../layers/moved-pins.js'
import { storedAuthorship } from '../layers/stored-authorship.js'
import { refuseFull } from '../operation/storage-bounds.js'
import type { ChangeFacts, NeededRight } from '../rows/audit.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { Content } from '../rows/content.js'
import type { LayerRow } from '../rows/layer.js'
import type { StoredBlob } from '../rows/version.js'
import type { Transaction } from '../storage/transaction.js'
import { keepsAuthors } from './attribution-override.js'
import { rightsToCreated, rightsToUpdated } from './authority.js'
import { Authorship } from './authorship.js'
import { changeFacts } from './change-facts.js'
import { completedItem } from './completed-items.js'
import { withGroupChanges } from './group-changes.js'
import type { NextLayer } from './layer-row.js'
import type { ChangeInput, Plan } from './plan.js'
import type { ChangeState } from './state.js'
import { encodeStoredChange, type Result } from './stored-change.js'

export interface ExecutedChange extends ChangeInput {
  readonly plan: Plan
  readonly changed: ChangeOutput
  readonly next: NextLayer
  /** Row of the layer before the change. */
  readonly layer: LayerRow
  readonly now: number
}

export interface FinishedChange extends ExecutedChange {
  readonly result: Result
  readonly effects: EffectList
  readonly pins: MovedPins
  readonly cacheDelta: CacheDelta | null
  readonly authorship: ReadonlyMap<number, AuthorshipRow>
  /** Rights needed to undo the change. */
  readonly rights: readonly NeededRight[]
  readonly facts: ChangeFacts
  /** Response and undo steps. */
  readonly content: Content
  /** Bodies of the images, in order. */
  readonly bodies: readonly Content[]
  readonly privateBase: StoredBlob | null
  /** Bytes of content that the layer did not have before. */
  readonly newBytes: number
}

/** Throws `StorageFull` before anything is stored. */
export async function finishChange(
  transaction: Transaction,
  state: ChangeState,
  ran: ExecutedChange,
): Promise<FinishedChange> {
  const { changed, layer, opId } = ran
  const { authorship, items: attributed } = await authorshipOf(state, ran)
  const pagesOfGroups = authorship.groups.map(({ page }) => page)
  const effects = withAnnotationsOf(changed.effects, pagesOfGroups)
  const pins = movePins({ layer: layer.pins, pages: await pagePinsOf(state, effects), first: state.first }, effects)
  const working = changed.rewritten === null && (isWorking(layer) || changed.images.length > 0)
  const cacheDelta = pins.delta && { ...pins.delta, layerVersion: layer.editsVersion + 1, working }
  const promoted = [...layer.promoted, ...changed.promoted]
  const { usageRightsRemoved } = changed
  const authorOf = (number: number) => authorship.row(number)
  const context = { opId, cacheDelta, usageRightsRemoved, promoted, authorOf }
  const items: Item[] = []
  for (const item of withGroupChanges(attributed, { groups: authorship.groups, promoted }))
    items.push(await completedItem(item, context))
  const affectedPages = effects.pages.map(({ page }) => ({ kind: 'objectNumber', objectNumber: page }) as const)
  const undoable = changed.undo !== null
  const ended = usageRightsRemoved ? { usageRightsRemoved } : {}
  const result = { items, meta: { affectedPages, cacheDelta, opId, undoable, ...ended } }
  const undo = changed.undo && [...changed.undo]
  const encoded = encodeStoredChange({ answer: result, undo, groups: [...authorship.groups] }, ran.plan.texts)
  const kept = await keptBodies(state, changed.images)
  const newBytes = newImages(changed, kept).reduce((bytes, { body }) => bytes + body.length, encoded.length)
  await refuseFull(transaction, state.context, newBytes)
  const { content, bodies } = await storeResult(state, changed, { encoded, kept })
  const privateBase = await adoptBase(state, ran)
  const toCreated = rightsToCreated(items, promoted)
  const rights = [...ran.plan.rights, ...toCreated, ...rightsToUpdated(changed.items, promoted)]
  const { caller } = state.context
  const facts = await changeFacts({
    items,
    created: toCreated.flatMap(({ annotation }) => annotation ?? []),
    touched: changed.touchedAnnotations,
    pages: changed.pageNumbers,
    self: caller.kind === 'document' ? (caller.person.userId ?? null) : null,
    authorOf: async (number) => (await authorship.row(number))?.userId ?? null,
  })
  return {
    ...ran,
    result,
    effects,
    pins,
    cacheDelta,
    authorship: authorship.rows,
    rights,
    facts,
    content,
    bodies,
    privateBase,
    newBytes,
  }
}

/** Returns the authorship of the change; for an undo, items name the groups that could not be restored. */
async function authorshipOf({ context, owner, document }: ChangeState, ran: ExecutedChange) {
  const { tables } = context.deployment
  const { nextObject } = document
  const { changed, layer, plan, now } = ran
  const authorship = new Authorship({
    items: changed.items,
    ops: plan.ops,
    caller: context.caller,
    keepsAuthors: keepsAuthors(context),
    now,
    promoted: [...layer.promoted, ...changed.promoted],
    // Objects created by this change have no stored authorship.
    stored: async (number) => (number < nextObject ? await storedAuthorship(tables, owner, number) : undefined),
  })
  await authorship.note()
  const items = await authorship.putBack(plan.groups)
  return { authorship, items }
}

/** Adds pages whose annotation lists show a changed group. */
function withAnnotationsOf({ pages, document }: EffectList, changed: readonly number[]): EffectList {
  if (changed.length === 0) return { pages, document }
  const all = new Map(pages.map(({ page, planes }) => [page, planes]))
  for (const page of changed) all.set(page, [...new Set([...(all.get(page) ?? []), 'annotations' as const])])
  return {
    pages: [...all].map(([page, planes]) => ({ page, planes })),
    document: [...new Set([...document, 'annotations' as const])],
  }
}

async function pagePinsOf({ context, owner }: ChangeState, { pages }: EffectList) {
  const { tenant, document, layerName } = owner
  const found = new Map<number, CachePins>()
  for (const { page } of pages) {
    const row = await context.deployment.tables.pagePins.get([tenant, document, layerName, page])
    if (row) found.set(page, row)
  }
  return found
}

type StoredBodies = ReadonlyMap<number, Content>

/** Images that the layer does not store yet: what is deleted or restored is referred to, and not stored again. */
const newImages = ({ images }: ChangeOutput, kept: StoredBodies) => images.filter(({ number }) => !kept.has(number))

async function storeResult(
  { context, owner, document }: ChangeState,
  changed: ChangeOutput,
  { encoded, kept }: { readonly encoded: Uint8Array; readonly kept: StoredBodies },
) {
  const pieces = [encoded, ...newImages(changed, kept).map(({ body }) => body)]
  const storing = { layer: owner, isSealed: isSealed(document), pieces }
  const [content, ...stored] = await storeContents(context.deployment, storing)
  if (content === undefined) throw new Error('A stored piece is missing')
  const added = stored.values()
  const bodies = changed.images.map(({ number }) => kept.get(number) ?? added.next().value)
  return { content, bodies: bodies.filter((body) => body !== undefined) }
}

/** Returns the stored bodies, by object number, of images that have one; objects of the base may have none. */
async function keptBodies({ context, owner }: ChangeState, images: readonly ObjectImage[]): Promise<StoredBodies> {
  const { overlays } = context.deployment.tables
  const kept = new Map<number, Content>()
  for (const { number } of images.filter(({ isBodyKept }) => isBodyKept)) {
    const row = await overlays.get([owner.tenant, owner.document, owner.layerName, number])
    if (row !== undefined) kept.set(number, row.body)
  }
  return kept
}

async function adoptBase(
  { context, owner }: ChangeState,
  { changed, next }: ExecutedChange,
): Promise<StoredBlob | null> {
  if (changed.rewritten === null) return null
  const { path, sizeBytes, sha256 } = changed.rewritten
  const { tenant, document } = owner
  // The name is not derived from the content: two layers with equal content must not share, and lose, one blob.
  const name = `redacted-${next.token}.pdf`
  const { blobs } = context.deployment
  await blobs.adopt({ tenant, document, name }, path)
  // A layer must not be committed with an incomplete file.
  const blob = { tenant, document, name }
  refuseDamaged(blob, await blobs.size(blob), sizeBytes)
  return { name, sizeBytes, sha256 }
}
