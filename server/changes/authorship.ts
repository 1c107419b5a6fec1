// Whose things are after a change: rows of authorship that follow from its items.
import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import type { Caller } from '../auth/caller.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import { annotationNumber, fieldNumber, type Promoted } from './attribution.js'
import { givenAttribution } from './given-attribution.js'
import { createdGroupOf, patchedGroupOf } from './groups.js'
import type { GroupStep } from './kept-change.js'
import type { Item, Op } from './words.js'

export interface Written {
  readonly items: readonly Item[]
  /** Of an undo there are none. */
  readonly ops: readonly Op[]
  readonly caller: Caller
  readonly now: number
  /** With what this change promoted. */
  readonly promoted: Promoted
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

const open = { additionalProperties: true } as const
const Named = Type.Object({ ref: AnnotationRef }, open)
const NamedField = Type.Object({ ref: FormFieldRef }, open)
/** As far as authorship follows from them. */
const Items = Type.Object(
  {
    annotation: Type.Optional(Named),
    widget: Type.Optional(Type.Unknown()),
    widgets: Type.Optional(Type.Array(Named)),
    field: Type.Optional(Type.Union([NamedField, Type.Null()])),
    fields: Type.Optional(Type.Array(NamedField)),
    meta: Type.Object(
      {
        changed: Type.Optional(Type.Array(AnnotationRef)),
        changedFields: Type.Optional(Type.Array(FormFieldRef)),
        changedWidgets: Type.Optional(Type.Array(Type.Unknown())),
      },
      open,
    ),
  },
  open,
)
type Named = Static<typeof Named>
const itemValidator = Compile(Items)
const namedValidator = Compile(Named)

interface Update {
  /** Of an annotation. */
  readonly op?: Op | undefined
  /** Something of it changed in the file. */
  readonly isRewritten: boolean
}

export class Authorship {
  readonly #rows = new Map<number, AuthorshipRow>()
  readonly #groups: GroupStep[] = []

  constructor(private readonly written: Written) {}

  get rows(): ReadonlyMap<number, AuthorshipRow> {
    return this.#rows
  }

  /** How the groups that were changed are put back. */
  get groups(): readonly GroupStep[] {
    return this.#groups.toReversed()
  }

  async note(): Promise<void> {
    const { items, ops } = this.written
    for (const [index, item] of items.entries()) await this.#noteItem(item, ops[index])
  }

  /** As far as the groups are still what the change left; answers the items, with what was left alone named in them. */
  async putBack(steps: readonly GroupStep[]): Promise<readonly Item[]> {
    let { items } = this.written
    for (const { annotation, page, before, after } of steps) {
      const row = await this.row(annotation)
      if ((row?.groupId ?? null) === after) {
        this.#rows.set(annotation, { ...(row ?? nobody), groupId: before })
        this.#groups.push({ annotation, page, before: after, after: before })
      } else items = items.map((item) => (this.#numberIn(item) === annotation ? withGroupSkipped(item) : item))
    }
    return items
  }

  /** As it is after the change. */
  async row(number: number): Promise<AuthorshipRow | undefined> {
    return this.#rows.get(number) ?? (await this.written.stored(number))
  }

  async #noteItem(item: Item, op: Op | undefined): Promise<void> {
    if (!itemValidator.Check(item)) throw new Error(`An item of ${item.type} is not as items are`)
    const { type, annotation, widget, widgets = [], field, fields = [], meta } = item
    // Whoever asks for what is there already has changed nothing, and is not named for it.
    const isWidgetChanged = (meta.changedWidgets ?? []).length > 0
    const isChanged = ({ ref }: Static<typeof NamedField>) =>
      (meta.changedFields ?? []).some((one) => isDeepStrictEqual(one, ref))
    if (type === 'annotations.create' && annotation) await this.#create(annotation, op)
    if (type === 'annotations.update' && annotation) {
      await this.#update(annotation, { op, isRewritten: (meta.changed ?? []).length > 0 })
    }
    if (type === 'forms.updateWidget' && isWidgetChanged && namedValidator.Check(widget)) {
      await this.#update(widget, { isRewritten: true })
    }
    if (type === 'forms.create') {
      for (const one of widgets) await this.#create(one, undefined)
      if (field) await this.#set(fieldNumber(field.ref), { createdBy: this.#userId, createdAt: this.written.now })
    }
    if (type === 'forms.setValue' && field && isChanged(field)) await this.#set(fieldNumber(field.ref), this.#filled)
    if (type === 'forms.reset')
      for (const one of fields.filter(isChanged)) await this.#set(fieldNumber(one.ref), this.#filled)
  }

  async #create({ ref }: Named, op: Op | undefined): Promise<void> {
    const { now, caller } = this.written
    const userId = this.#userId
    const groupId = op ? createdGroupOf(op, caller) : null
    const by = { userId, createdBy: userId, modifiedBy: userId, groupId, createdAt: now, modifiedAt: now }
    await this.#set(this.#numberOf(ref), { ...by, ...givenAttribution(op, caller) })
  }

  async #update({ ref }: Named, { op, isRewritten }: Update): Promise<void> {
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
    // What has no number cannot be told from others of its name.
    if (number === undefined) return
    this.#rows.set(number, { ...nobody, ...(await this.row(number)), ...members })
  }

  #numberIn(item: Item): number | undefined {
    return itemValidator.Check(item) && item.annotation ? this.#numberOf(item.annotation.ref) : undefined
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

function withGroupSkipped(item: Item): Item {
  return { ...item, skipped: [...(Array.isArray(item.skipped) ? item.skipped : []), 'groupId'] }
}
