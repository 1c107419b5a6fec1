// `forms.update`: changes the members of a field and redraws its widgets.
import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../change/change.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import type { FieldPatch } from '../contract/field-members.js'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import { FormsUpdate } from '../contract/ops/forms-update.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { attachField, mustBeFreeName, numberField, unhang } from '../forms/writing/attach-field.js'
import { drawField } from '../forms/writing/draw-widget.js'
import { mustBeAsExpected } from '../forms/writing/expected.js'
import { dropXfa } from '../forms/writing/form-dictionary.js'
import { formMeta, unchanged } from '../forms/writing/form-meta.js'
import { FormModel, formWith } from '../forms/writing/form-model.js'
import { renameInActions } from '../forms/writing/named-in-actions.js'
import { skipped } from '../forms/writing/skipped.js'
import { putAstray, type StrayPlace, strayPlaceOf } from '../forms/writing/stray-field.js'
import { touchField } from '../forms/writing/touch-field.js'
import { membersOf, writeAny, writeMembers } from '../forms/writing/write-members.js'
import { objectNumberOf } from '../objects/values.js'

const type = 'forms.update' as const

export const work = opWork(FormsUpdate, {
  apply({ field, patch, expect }, change) {
    const model = formWith(change, [field])
    const found = model.find(field)
    mustBeAsExpected(expect, membersOf(model.read(found)))
    return update(model, found, patch)
  },
})

interface UpdateStep extends UndoStep {
  readonly type: typeof type
  readonly field: FormFieldRef
  readonly before: FieldPatch
  readonly after: FieldPatch
  /** Former place of the field, if the new name brought it into the form. */
  readonly stray?: StrayPlace
}

interface FieldUpdate {
  readonly write?: typeof writeMembers
  /** Place that the new name leads to; absent for the form itself. */
  readonly stray?: StrayPlace | undefined
}

function update(
  model: FormModel,
  found: FoundField,
  patch: FieldPatch,
  { write = writeMembers, stray }: FieldUpdate = {},
) {
  const { change } = model
  const before = membersOf(model.read(found))
  const { name, ...members } = patch
  const former = strayPlaceOf(found)
  write(change, touchField(model, found), model.read(found).family, members)
  const ref = name === undefined || name === found.node.name ? found.ref : rename(model, found, { name, stray })
  const following = name === undefined || name === found.node.name ? [] : followName(change, found.node.name, name)
  const now = new FormModel(change)
  const changed = now.find(ref)
  const after = membersOf(now.read(changed))
  const isSame = isDeepStrictEqual(before, after)
  if (!isSame) {
    const isListed = former !== undefined && changed.origin !== found.origin
    undoUpdate(model, { field: ref, ...differences(before, after), ...(isListed && { stray: former }) })
    if (shows(before, after)) drawField(now, changed)
    dropXfa(change)
  }
  const others = following.filter(({ node }) => node.name !== changed.node.name)
  const meta = isSame ? unchanged() : formMeta(change, [changed, ...others])
  return { type, field: now.read(changed), widgets: now.widgetsOf(changed), meta }
}

function undoUpdate({ change }: FormModel, step: Omit<UpdateStep, 'type'>): void {
  const typed: UpdateStep = { type, ...step }
  change.undoBy(typed)
}

interface NewPlace {
  readonly name: string
  readonly stray: StrayPlace | undefined
}

function rename(model: FormModel, found: FoundField, { name, stray }: NewPlace): FormFieldRef {
  const { change } = model
  const ownName = found.node.name
  // A field may move under its own name: `a` cannot become `a.b`, because it would be its own parent.
  if (name.startsWith(`${ownName}.`)) mustBeFreeName(model, ownName)
  mustBeFreeName(model, name)
  const field = numberField(model, found)
  const ref = { kind: 'objectNumber', objectNumber: field.asIndirect() } as const
  const [from, to] = [ownName, name].map((full) => full.split('.').slice(0, -1).join('.'))
  if (stray === undefined && from === to && objectNumberOf(found.node.object) !== undefined) {
    change.cache.evict('form')
    field.put('T', change.pdf.newString(name.split('.').at(-1) ?? name))
    return ref
  }
  change.touch(field)
  unhang(change, field)
  if (stray === undefined) attachField(new FormModel(change), field, name)
  else putAstray(change, field, stray)
  return ref
}

/** Updates scripts and other actions that name the field or its descendants. Returns the fields that have some. */
function followName(change: Change, from: string, to: string): readonly FoundField[] {
  const nameFor = (name: string): string =>
    name === from ? to : name.startsWith(`${from}.`) ? `${to}${name.slice(from.length)}` : name
  return renameInActions(change, { nameFor })
}

/** Members that are not visible. */
const untold: ReadonlySet<string> = new Set([
  'readOnly',
  'required',
  'noExport',
  'alternateName',
  'mappingName',
  'name',
])

const shows = (before: FieldPatch, after: FieldPatch): boolean =>
  Object.keys(differences(before, after).after).some((member) => !untold.has(member) && member !== 'defaultValue')

/** Returns the members that differ. */
function differences(
  before: FieldPatch,
  after: FieldPatch,
): { readonly before: FieldPatch; readonly after: FieldPatch } {
  const former = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(([member, value]) => !isDeepStrictEqual(value, former.get(member)))
  return {
    before: Object.fromEntries(changed.map(([member]) => [member, former.get(member)])),
    after: Object.fromEntries(changed),
  }
}

export const undos = [
  undoWork<UpdateStep>({
    type,
    apply({ field, before, after, stray }, change) {
      const model = formWith(change, [])
      const found = model.lookUp(field)
      if (found === undefined) return skipped(type, 'gone', field)
      const now = new Map<string, unknown>(Object.entries(membersOf(model.read(found))))
      const left = Object.entries(after)
        .filter(([member, value]) => !isDeepStrictEqual(value, now.get(member)))
        .map(([member]) => member)
      const patch: FieldPatch = Object.fromEntries(Object.entries(before).filter(([member]) => !left.includes(member)))
      if (patch.name !== undefined && model.named(patch.name).length > 0) {
        left.push('name')
        delete patch.name
      }
      if (Object.keys(patch).length === 0) return skipped(type, 'changed', field)
      return { ...update(model, found, patch, { write: writeAny, stray }), ...(left.length > 0 && { skipped: left }) }
    },
  }),
]
