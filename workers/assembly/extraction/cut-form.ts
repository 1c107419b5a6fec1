// Reduces a form to the branches of the field tree that have widgets on the extracted pages.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../../document/open-document.js'
import { fieldOfWidget } from '../../fields/field-names.js'
import { buttonGroupOf, regroup } from '../../forms/reading/button-options.js'
import { limits } from '../../limits.js'
import { elementsOf, entry, isDictionary, isMissing, nameOf, objectNumberOf } from '../../objects/values.js'
import { cutEvents } from './cut-annotations.js'

export interface FormCut {
  /** New form dictionary with the remaining fields. */
  readonly dictionary: PDFObject
}

/** Entries copied from the form; XFA and signature flags would describe missing parts. */
const formKeys = ['DR', 'DA', 'Q', 'NeedAppearances']

/** Returns undefined if none of the annotations is a widget. */
export function cutForm({ pdf, catalog }: OpenDocument, annotations: readonly PDFObject[]): FormCut | undefined {
  const form = entry(catalog, 'AcroForm')
  nameParents(entry(form, 'Fields'))
  const fields = new FieldBranches()
  for (const annotation of annotations) {
    if (nameOf(entry(annotation, 'Subtype')) === 'Widget' && isDictionary(form)) fields.add(annotation)
    // Fields missing in the form still have names, which must not collide with others.
    else if (isOrphanField(annotation)) fields.add(annotation)
  }
  if (fields.roots.size === 0) return undefined
  fields.cut()
  const dictionary = pdf.newDictionary()
  dictionary.put('Fields', arrayOf(pdf.newArray(), fields.roots.values()))
  for (const key of formKeys) {
    const value = entry(form, key)
    if (!isMissing(value)) dictionary.put(key, value)
  }
  const order = [...elementsOf(entry(form, 'CO'), limits.itemsMax)].filter((field) => fields.has(field))
  if (order.length > 0) dictionary.put('CO', arrayOf(pdf.newArray(), order))
  return { dictionary }
}

const isOrphanField = (annotation: PDFObject): boolean =>
  nameOf(entry(annotation, 'Subtype')) === 'Widget' && fieldOfWidget(annotation) !== undefined

/** Sets the parent of kids that do not name the field listing them. */
function nameParents(fields: PDFObject): void {
  const waiting = [...elementsOf(fields, limits.itemsMax)]
  const seen = new Set<number>()
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    const number = objectNumberOf(field)
    if (number === undefined || seen.has(number) || seen.size > limits.itemsMax) continue
    seen.add(number)
    for (const kid of elementsOf(entry(field, 'Kids'), limits.itemsMax)) {
      if (isDictionary(kid) && objectNumberOf(kid) !== number && !isDictionary(entry(kid, 'Parent')))
        kid.put('Parent', field)
      waiting.push(kid)
    }
  }
}

class FieldBranches {
  readonly roots = new Map<number, PDFObject>()
  /** Remaining kids by the object number of their parent. */
  readonly #kids = new Map<number, { readonly parent: PDFObject; readonly kids: Set<number> }>()
  readonly #members = new Set<number>()

  /** Adds a widget and its ancestors up to the root; stops at a cycle. */
  add(widget: PDFObject): void {
    const path = new Set<number>()
    let node = widget
    for (let number = objectNumberOf(node); number !== undefined; number = objectNumberOf(node)) {
      if (path.has(number) || path.size >= limits.depthMax) return
      path.add(number)
      this.#members.add(number)
      dropSignature(node)
      cutEvents(node)
      const parent = entry(node, 'Parent')
      const above = objectNumberOf(parent)
      if (above === undefined || !isDictionary(parent)) {
        this.roots.set(number, node)
        return
      }
      const branch = this.#kids.get(above) ?? { parent, kids: new Set() }
      branch.kids.add(number)
      this.#kids.set(above, branch)
      node = parent
    }
  }

  has(field: PDFObject): boolean {
    const number = objectNumberOf(field)
    return number !== undefined && this.#members.has(number)
  }

  cut(): void {
    for (const { parent, kids } of this.#kids.values()) {
      const staying = [...elementsOf(entry(parent, 'Kids'), limits.itemsMax)].filter((kid) => {
        const number = objectNumberOf(kid)
        return number !== undefined && kids.has(number)
      })
      const group = buttonGroupOf(parent)
      parent.put('Kids', arrayOf(parent._doc.newArray(), staying))
      // Buttons that share an on state continue to share one.
      const states = new Map(group?.buttons.map(({ number, state }) => [number, state ?? number]))
      if (group !== undefined) regroup(parent, group, { touch: () => {}, idOf: (kid) => states.get(kid) ?? kid })
    }
  }
}

/**
 * Removes the value of a signature field: a signature over other bytes is invalid, and the field can be signed again.
 */
function dropSignature(field: PDFObject): void {
  if (nameOf(field.getInheritable('FT')) === 'Sig') field.delete('V')
}

function arrayOf(array: PDFObject, elements: Iterable<PDFObject>): PDFObject {
  for (const element of elements) array.push(element)
  return array
}
