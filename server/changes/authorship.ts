// Authorship rows that a change writes, derived from its items as the contracts of its ops declare.

import type { UnfinishedItem } from '../../workers/change/unfinished-item.js'
import type { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import type { ImportedAnnotation, UpdatedAnnotation } from '../../workers/contract/ops/authored.js'
import { findOpContract, type Op } from '../../workers/contract/ops/index.js'
import type { Caller } from '../auth/caller.js'
import { annotationNumber, fieldNumber } from '../layers/attribution.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { PromotedAnnotations } from '../rows/version.js'
import { attributionOverride } from './attribution-override.js'
import { createdGroupOf, ownGroupOf, patchedGroupOf } from './groups.js'
import type { GroupStep } from './stored-change.js'

export interface AuthoredChange {
  readonly items: readonly UnfinishedItem[]
  /** Ops of the change; empty for an undo. */
  readonly ops: readonly Op[]
  readonly caller: Caller
  /** True if imported annotations keep the authors and dates of their file. */
  readonly keepsAuthors: boolean
  readonly now: number
  /** Annotations by object number, including those that this change promoted. */
  readonly promoted: PromotedAnnotations
  readonly stored: (number: number) => Promise<AuthorshipRow | undefined>
}

const nobody: AuthorshipRow = {
  userId: null,
  createdBy: null,
  modifiedBy: null,
  groupId: null,
  importedBy: null,
  createdAt: null,
  modifiedAt: null,
  filledBy: null,
  filledByName: null,
  filledAt: null,
}

export class Authorship {
  readonly #rows = new Map<number, AuthorshipRow>()
  readonly #groups: GroupStep[] = []

  constructor(private readonly written: AuthoredChange) {}

  get rows(): ReadonlyMap<number, AuthorshipRow> {
    return this.#rows
  }

  /** Undo steps for changed groups. */
  get groups(): readonly GroupStep[] {
    return this.#groups.toReversed()
  }

  async note(): Promise<void> {
    const { items, ops } = this.written
    for (const [index, item] of items.entries()) await this.#noteItem(item, ops[index])
  }

  /** Restores groups that nobody changed since; returns items that name the skipped ones. */
  async putBack(steps: readonly GroupStep[]): Promise<readonly UnfinishedItem[]> {
    let { items } = this.written
    for (const { annotation, page, before, after } of steps) {
      const row = await this.row(annotation)
      if ((row?.groupId ?? null) === after) {
        this.#rows.set(annotation, { ...(row ?? nobody), groupId: before })
        this.#groups.push({ annotation, page, before: after, after: before })
      } else items = items.map((item) => (this.#isUpdateOf(item, annotation) ? withSkippedGroup(item) : item))
    }
    return items
  }

  /** Returns the row after the change. */
  async row(number: number): Promise<AuthorshipRow | undefined> {
    return this.#rows.get(number) ?? (await this.written.stored(number))
  }

  async #noteItem(item: UnfinishedItem, op: Op | undefined): Promise<void> {
    const { authored = {} } = findOpContract(item.type) ?? {}
    const created = authored.createdAnnotation?.(item)
    if (created !== undefined) await this.#create(created, op)
    for (const mark of authored.createdAnnotations?.(item) ?? []) await this.#create(mark, op)
    for (const widget of authored.createdWidgets?.(item) ?? []) await this.#create(widget, undefined)
    const field = authored.createdField?.(item)
    if (field !== undefined)
      await this.#set(fieldNumber(field), { createdBy: this.#userId, createdAt: this.written.now })
    for (const imported of authored.importedAnnotations?.(item) ?? []) await this.#import(imported)
    const updated = authored.updatedAnnotation?.(item)
    if (updated !== undefined) await this.#update(updated, op)
    for (const one of authored.updatedAnnotations?.(item) ?? []) await this.#update(one, undefined)
    for (const filled of authored.filledFields?.(item) ?? []) await this.#set(fieldNumber(filled), this.#filled)
  }

  async #create(ref: AnnotationRef, op: Op | undefined): Promise<void> {
    const { now, caller } = this.written
    const userId = this.#userId
    const groupId = op ? createdGroupOf(op, caller) : null
    const by = { userId, createdBy: userId, modifiedBy: userId, groupId, createdAt: now, modifiedAt: now }
    const override = op?.type === 'annotations.create' ? attributionOverride(op.data, caller) : {}
    await this.#set(this.#numberOf(ref), { ...by, ...override })
  }

  /** Notes the caller as the importer, and as the author only if the file does not decide who that is. */
  async #import({ ref, createdAt, modifiedAt }: ImportedAnnotation): Promise<void> {
    const { now, caller, keepsAuthors } = this.written
    const by = keepsAuthors ? null : this.#userId
    await this.#set(this.#numberOf(ref), {
      userId: by,
      createdBy: by,
      modifiedBy: by,
      groupId: ownGroupOf(caller),
      importedBy: this.#userId,
      createdAt: keepsAuthors ? timeOf(createdAt) : now,
      modifiedAt: keepsAuthors ? timeOf(modifiedAt) : now,
    })
  }

  async #update({ ref, isRewritten }: UpdatedAnnotation, op: Op | undefined): Promise<void> {
    const number = this.#numberOf(ref)
    const group = op && patchedGroupOf(op)
    const before = number === undefined ? null : ((await this.row(number))?.groupId ?? null)
    const isMoved = group !== undefined && group !== before
    if (!isRewritten && !isMoved) return
    const { now } = this.written
    await this.#set(number, { modifiedBy: this.#userId, modifiedAt: now, ...(isMoved ? { groupId: group } : {}) })
    if (number === undefined || !isMoved) return
    this.#groups.push({ annotation: number, page: ref.page.objectNumber, before, after: group })
  }

  async #set(number: number | undefined, members: Partial<AuthorshipRow>): Promise<void> {
    // Objects without a number cannot be identified.
    if (number === undefined) return
    this.#rows.set(number, { ...nobody, ...(await this.row(number)), ...members })
  }

  #isUpdateOf(item: UnfinishedItem, annotation: number): item is UpdateItem {
    return item.type === 'annotations.update' && this.#numberOf(item.annotation.ref) === annotation
  }

  #numberOf(ref: AnnotationRef): number | undefined {
    return annotationNumber(ref, this.written.promoted)
  }

  get #userId(): string | null {
    const { caller } = this.written
    return caller.kind === 'document' ? (caller.person.userId ?? null) : null
  }

  get #filled(): Partial<AuthorshipRow> {
    const { caller, now } = this.written
    const filledByName = caller.kind === 'document' ? (caller.person.displayName ?? null) : null
    return { filledBy: this.#userId, filledByName, filledAt: now }
  }
}

function timeOf(iso: string | null): number | null {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? null : time
}

type UpdateItem = Extract<UnfinishedItem, { readonly type: 'annotations.update' }>

function withSkippedGroup(item: UpdateItem): UpdateItem {
  return { ...item, skipped: [...(item.skipped ?? []), 'groupId'] }
}
