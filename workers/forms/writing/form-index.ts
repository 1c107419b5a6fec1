// Index of a document's form: fields by name and widgets by reference. It stays valid while fields and widgets are
// altered, and is rebuilt after one was added, removed or moved.

import { pageStackOf } from '../../annotations/page-stack.js'
import type { Change } from '../../change/change.js'
import type { CachedKind } from '../../change/change-cache.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { Reading } from '../../document/reading.js'
import { fieldKey } from '../../fields/field-names.js'
import { objectNumberOf } from '../../objects/values.js'
import { findFields } from '../reading/fields.js'
import { FormWidgets, type PlacedWidget, type SiblingsOf } from '../reading/form-widgets.js'
import type { FoundField } from '../reading/found-field.js'

const formIndexes: CachedKind<Change, 'form', FormIndex> = {
  source: 'form',
  compute: (change) => new FormIndex(change.reading(), (page) => pageStackOf(change, page)),
}

/** Returns the form of the document that is being changed, with a new answer budget. */
export function formIndexOf(change: Change): FormIndex {
  const index = change.cache.get(formIndexes, 'form')
  index.reading.budget.renew()
  return index
}

export class FormIndex {
  readonly widgets: FormWidgets
  readonly fields: readonly FoundField[]
  readonly #byKey: ReadonlyMap<string, FoundField>
  readonly #byNumber = new Map<number, FoundField>()
  readonly #byName = new Map<string, FoundField[]>()
  readonly #byWidget = new Map<number, FoundField>()

  constructor(
    readonly reading: Reading,
    siblingsOf: SiblingsOf,
  ) {
    this.widgets = new FormWidgets(reading, siblingsOf)
    this.fields = findFields(reading, this.widgets)
    this.#byKey = new Map(this.fields.map((field) => [fieldKey(field.ref), field]))
    for (const field of this.fields) {
      const number = objectNumberOf(field.node.object)
      if (number !== undefined) this.#byNumber.set(number, field)
      const named = this.#byName.get(field.node.name)
      if (named === undefined) this.#byName.set(field.node.name, [field])
      else named.push(field)
      for (const { place } of field.widgets) {
        if (!this.#byWidget.has(place.objectNumber)) this.#byWidget.set(place.objectNumber, field)
      }
    }
  }

  /** Finds a field by full name even if it has an object number, and by number even if its reference is its name. */
  lookUp(ref: FormFieldRef): FoundField | undefined {
    const other = ref.kind === 'fqn' ? this.named(ref.name)[0] : this.#byNumber.get(ref.objectNumber)
    return this.#byKey.get(fieldKey(ref)) ?? other
  }

  /** Returns the fields of one full name, which all readers treat as one field (ISO 32000-2, 12.7.4.2). */
  named(name: string): readonly FoundField[] {
    return name === '' ? [] : (this.#byName.get(name) ?? [])
  }

  fieldOf({ field, place }: PlacedWidget): FoundField | undefined {
    const byNumber = place.objectNumber > 0 ? this.#byWidget.get(place.objectNumber) : undefined
    if (field === undefined) return byNumber
    return this.#byKey.get(fieldKey(field.ref)) ?? byNumber
  }
}
