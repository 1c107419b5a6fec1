// Finds the signature fields of one revision, in the order of the field tree.
import { NotStrict, type StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictReference, StrictValue } from '../../strict-reader/values.js'
import { nameOf, ofKind } from '../../strict-reader/values-of.js'
import { catalogOf, dictionaryAt, elementsAt, entryOf } from './entries.js'
import { readingLimits } from './reading-limits.js'
import { textOf } from './text-string.js'

export interface SignatureField {
  /** Undefined for a field that is stored inline. */
  readonly reference: StrictReference | undefined
  readonly dictionary: StrictDictionary
  /** Full name of the field. */
  readonly name: string
  /** First widget of the field: the field itself, or a kid. */
  readonly widget:
    | { readonly reference: StrictReference | undefined; readonly dictionary: StrictDictionary }
    | undefined
}

/** Limits the number of fields that are read, over all revisions of a file. */
export class FieldBudget {
  #left: number = readingLimits.allFieldNodesMax
  #contentsLeft: number = readingLimits.contentsBytesMax

  /** Counts the bytes of `/Contents` of a signature; throws `NotStrict` beyond the limit. */
  takeContents(count: number): void {
    this.#contentsLeft -= count
    if (this.#contentsLeft < 0) throw new NotStrict('The file has too many bytes of signatures')
  }

  /** Counts one field; throws `NotStrict` beyond the limit. */
  take(): void {
    if (--this.#left < 0) throw new NotStrict('The file has too many form fields')
  }
}

interface Node {
  readonly value: StrictValue
  readonly name: string
  readonly type: string | undefined
  readonly depth: number
}

export function signatureFields(revision: StrictRevision, budget: FieldBudget): readonly SignatureField[] {
  const form = dictionaryAt(revision, catalogOf(revision), 'AcroForm')
  const fields: SignatureField[] = []
  const seen = new Set<number>()
  const waiting: Node[] = []
  const add = (values: readonly StrictValue[], above: Omit<Node, 'value'>): void => {
    for (const value of values.toReversed()) waiting.push({ ...above, value })
    if (waiting.length > readingLimits.fieldNodesMax) throw new NotStrict('The file has too many form fields')
  }
  add(elementsAt(revision, form, 'Fields'), { name: '', type: undefined, depth: 0 })
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const reference = ofKind(node.value, 'reference')
    const dictionary = ofKind(revision.resolve(node.value), 'dictionary')
    if (dictionary === undefined || (reference !== undefined && seen.has(reference.number))) continue
    if (reference !== undefined) seen.add(reference.number)
    budget.take()
    const name = [node.name, textOf(entryOf(revision, dictionary, 'T')) ?? ''].filter((part) => part !== '').join('.')
    const type = nameOf(entryOf(revision, dictionary, 'FT')) ?? node.type
    const kids = elementsAt(revision, dictionary, 'Kids')
    const { below, widgets } = splitKids(revision, kids, budget)
    if (type === 'Sig' && (below.length === 0 || widgets.length > 0)) {
      const own = nameOf(entryOf(revision, dictionary, 'Subtype')) === 'Widget' ? { reference, dictionary } : undefined
      fields.push({ reference, dictionary, name, widget: own ?? widgets[0] })
    }
    if (node.depth < readingLimits.fieldDepthMax) add(below, { name, type, depth: node.depth + 1 })
  }
  return fields
}

/** Splits kids into fields, which have a name or kids of their own, and widgets. */
function splitKids(revision: StrictRevision, kids: readonly StrictValue[], budget: FieldBudget) {
  const below: StrictValue[] = []
  const widgets: NonNullable<SignatureField['widget']>[] = []
  for (const kid of kids) {
    budget.take()
    const dictionary = ofKind(revision.resolve(kid), 'dictionary')
    if (dictionary === undefined) continue
    if (dictionary.entries.has('T') || dictionary.entries.has('Kids')) below.push(kid)
    else widgets.push({ reference: ofKind(kid, 'reference'), dictionary })
  }
  return { below, widgets }
}
