// Reads the fields of a document: those that the form lists, in its order, then those that only widgets refer to.
import type { PDFObject } from 'mupdf'
import type { FieldBase } from '../../contract/fields/family-contract.js'
import type { FormField } from '../../contract/form-field.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { Reading } from '../../document/reading.js'
import { fieldFamilyOf, flagsOf } from '../../fields/field-kind.js'
import { fieldKey, fieldRef, fullNameOf } from '../../fields/field-names.js'
import { type FieldNode, fieldTree } from '../../fields/field-tree.js'
import { inherited, lineageOf } from '../../fields/inheritance.js'
import { fieldActions } from '../../targets/actions.js'
import { familyOf } from '../load-families.js'
import { valueEntryOf } from './field-values.js'
import type { FormWidgets } from './form-widgets.js'
import type { FoundField } from './found-field.js'
import type { FieldWidget } from './toggles.js'

export const readFields = (reading: Reading, widgets: FormWidgets): FormField[] =>
  findFields(reading, widgets).map((found) => readField(reading, found))

export function findFields(reading: Reading, widgets: FormWidgets): readonly FoundField[] {
  const listed = listedFields(reading, widgets)
  return [...listed, ...recoveredFields(listed, widgets)]
}

/**
 * Yields the fields that can be referenced. Left out are those with neither number nor name, and inline ones whose name
 * another inline field has.
 */
function listedFields(reading: Reading, widgets: FormWidgets): readonly FoundField[] {
  const keys = new Set<string>()
  return fieldTree(reading).flatMap((node): FoundField[] => {
    const ref = fieldRef(reading.document, node.object, () => node.name)
    if (ref === null || keys.has(fieldKey(ref))) return []
    keys.add(fieldKey(ref))
    return [{ ref, origin: 'acroform', node, widgets: widgetsOf(node, ref, widgets) }]
  })
}

/** Returns the field's own kids in their order, then widgets that name it without being named by it. */
function widgetsOf(node: FieldNode, ref: FormFieldRef, widgets: FormWidgets): readonly FieldWidget[] {
  const own = node.widgets.map((object) => ({ object, place: widgets.placeOf(object) }))
  const known = new Set(own.map(({ place }) => place.objectNumber))
  const others = widgets.of(ref).filter(({ place }) => place.objectNumber === 0 || !known.has(place.objectNumber))
  return [...own, ...others]
}

function recoveredFields(listed: readonly FoundField[], widgets: FormWidgets): readonly FoundField[] {
  const keys = new Set(listed.map(({ ref }) => fieldKey(ref)))
  const claimed = new Set(listed.flatMap((field) => field.widgets.map(({ place }) => place.objectNumber)))
  return widgets.placed.flatMap(({ field, place }): FoundField[] => {
    if (field === undefined || keys.has(fieldKey(field.ref))) return []
    if (place.objectNumber > 0 && claimed.has(place.objectNumber)) return []
    keys.add(fieldKey(field.ref))
    return [{ ref: field.ref, origin: 'recovered', node: nodeOf(field.object), widgets: widgets.of(field.ref) }]
  })
}

const nodeOf = (object: PDFObject) => ({ object, name: fullNameOf(object), lineage: lineageOf(object) })

export function readField(reading: Reading, { ref, origin, node, widgets }: FoundField): FormField {
  const { object, name, lineage } = node
  reading.budget.takeItem()
  const hasFlag = flagsOf(lineage)
  const actions = fieldActions(reading, object)
  const base: FieldBase = {
    ref,
    name: reading.budget.takeText(name),
    origin,
    readOnly: hasFlag('readOnly'),
    required: hasFlag('required'),
    noExport: hasFlag('noExport'),
    alternateName: reading.text(object, 'TU') ?? null,
    mappingName: reading.text(object, 'TM') ?? null,
    valueEntry: valueEntryOf(reading, inherited(lineage, 'V')),
    defaultValueEntry: valueEntryOf(reading, inherited(lineage, 'DV')),
    ...(actions !== undefined && { actions }),
    // The server adds these members; the file does not contain them.
    createdBy: null,
    createdAt: null,
    filledBy: null,
    filledByName: null,
    filledAt: null,
    importedBy: null,
    widgets: widgets.map(({ place }) => place),
  }
  return familyOf(fieldFamilyOf(lineage)).read(base, { reading, lineage, widgets }, hasFlag)
}
