// Sets values of fields and updates what depends on them: fields of the same name, calculated fields, appearances.

import type { FormFieldValue } from '../../contract/field-value.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { FoundField } from '../reading/found-field.js'
import { calculate } from './calculate.js'
import { drawField, showsByText } from './draw-widget.js'
import { type FieldChange, type FieldState, isSameValue, putState, stateOf } from './field-state.js'
import { writeDefault, writeValue } from './field-value.js'
import { writeAlike } from './fields-of-one-name.js'
import { dropXfa } from './form-dictionary.js'
import type { FormModel } from './form-model.js'
import { type DrawnForReaders, drawRest } from './left-to-readers.js'
import { showsOther } from './put-appearance.js'
import { restoreSigned } from './restore-signed.js'
import { isToggle, turnOn } from './toggle-states.js'
import { writeEntries } from './write-entries.js'

export interface FilledField {
  readonly changes: readonly FieldChange[]
  /** Changed fields, the requested ones first. */
  readonly fields: readonly FoundField[]
  /** Fields that did not change but are drawn now. */
  readonly drawn: readonly FoundField[]
  readonly left: readonly FormFieldRef[]
  readonly forReaders?: DrawnForReaders
}

export class FormFill {
  readonly #before = new Map<FoundField, FieldState>()
  /** Fields restored by an undo. They are drawn already, and are not calculated. */
  readonly #restored = new Set<FoundField>()
  /** Fields reset to their defaults. Calculated ones get the result of the other fields instead. */
  readonly #reset = new Set<FoundField>()

  constructor(private readonly model: FormModel) {}

  /** Sets a value. Throws `InvalidArg`. */
  set(found: FoundField, value: FormFieldValue): void {
    writeAlike(this.model, this.#rememberedWithPeers(found), (writing) => writeValue(writing, value))
  }

  /** Turns on the buttons with the state of a checkbox or a radio group. Throws `InvalidArg`. */
  turnOn(found: FoundField, onState: string): void {
    writeAlike(this.model, this.#rememberedWithPeers(found), (writing) => {
      if (isToggle(writing.field)) turnOn({ ...writing, field: writing.field }, onState)
    })
  }

  /** Leaves the value of a field as it is, also where it would be calculated. */
  retain(found: FoundField): void {
    this.#rememberedWithPeers(found)
  }

  reset(found: FoundField): void {
    this.#remember(found)
    this.#reset.add(found)
    writeDefault({ model: this.model, found, field: this.model.read(found) })
  }

  restore(found: FoundField, state: FieldState): void {
    this.#remember(found)
    this.#restored.add(found)
    putState(this.model, found, state)
  }

  /** Calculates and draws the fields. */
  finish(): FilledField {
    const { model } = this
    const excluded = new Set([...this.#before.keys()].filter((found) => !this.#reset.has(found)))
    const changed = new Set(this.#changedNames())
    const left = calculate(model, { changed, excluded, reset: this.#reset }, ({ found, value }) => {
      for (const one of this.#withPeers(found)) {
        this.#remember(one)
        writeEntries({ model, found: one, field: model.read(one) }, { V: value === '' ? null : { text: value } })
      }
    })
    const signed = new Set([...this.#before.keys()].filter((found) => restoreSigned(model.change, found)))
    const fields = [...this.#before.keys()].filter((found) => this.#isChanged(found))
    for (const found of fields) {
      if (!signed.has(found) && !this.#restored.has(found) && isDrawn(model, found)) drawField(model, found)
    }
    if (fields.length > 0) dropXfa(model.change)
    const rest = fields.length > 0 ? drawRest(model, new Set(fields)) : { fields: [] }
    const changes = fields.map((found) => this.#changeOf(found))
    return { changes, fields, drawn: rest.fields, left, ...(rest.step && { forReaders: rest.step }) }
  }

  #withPeers(found: FoundField): readonly FoundField[] {
    const family = this.model.read(found).family
    const peers = this.model.named(found.node.name)
    return [found, ...peers.filter((peer) => peer !== found && this.model.read(peer).family === family)]
  }

  #rememberedWithPeers(found: FoundField): readonly FoundField[] {
    const fields = this.#withPeers(found)
    for (const one of fields) this.#remember(one)
    return fields
  }

  #remember(found: FoundField): void {
    if (!this.#before.has(found)) this.#before.set(found, stateOf(this.model, found))
  }

  #changedNames(): readonly string[] {
    return [...this.#before.keys()].filter((found) => this.#isChanged(found)).map(({ node }) => node.name)
  }

  #isChanged(found: FoundField): boolean {
    const before = this.#before.get(found)
    if (before === undefined) return false
    return !isSameValue(before, stateOf(this.model, found)) || found.widgets.some(({ object }) => showsOther(object))
  }

  #changeOf(found: FoundField): FieldChange {
    const after = stateOf(this.model, found)
    return { field: found.ref, before: this.#before.get(found) ?? after, after }
  }
}

const isDrawn = (model: FormModel, found: FoundField): boolean => showsByText(model.read(found))
