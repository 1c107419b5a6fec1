// Gives a field whose value is as it was signed the entries and appearances that it had then: a signature does not permit another
// drawing of the same value, which could show something else.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { storedBytes } from '../../engine/engine-memory.js'
import { nameFromBytes } from '../../engine/names.js'
import { bodyOf } from '../../file/section/object-body.js'
import { isStream, objectNumberOf } from '../../objects/values.js'
import { textOf } from '../../signatures/reading/text-string.js'
import { MemoryBytes } from '../../strict-reader/bytes/memory-bytes.js'
import { NotStrict, type StrictRevision } from '../../strict-reader/strict-document.js'
import { parseValue } from '../../strict-reader/syntax/parse-value.js'
import { Scanner } from '../../strict-reader/syntax/scanner.js'
import type { StrictValue } from '../../strict-reader/values.js'
import { dictionaryOf, isSame, nameOf, ofKind } from '../../strict-reader/values-of.js'
import type { FoundField } from '../reading/found-field.js'
import { hideOwnDrawings } from './put-appearance.js'

/** Entries that follow from the value, of a field and of its widgets. */
const valueKeys = ['V', 'I', 'RV', 'AP', 'AS'] as const
const freeKeys: ReadonlySet<string> = new Set([...valueKeys, 'M'])
/** `/Length` may be an indirect object. */
const lengthKey: ReadonlySet<string> = new Set(['Length'])

/** Returns false if no signed revision has this value, or if the field or its drawing has changed otherwise since. */
export function restoreSigned(change: Change, { node, widgets }: FoundField): boolean {
  const { signedBase } = change
  if (signedBase === undefined || !change.protection.isSigned) return false
  const holders = [node.object, ...widgets.map(({ object }) => object)]
  try {
    const signed = signedBase.revisions.find(
      (revision) =>
        [...holders, ...node.lineage.slice(1)].every((object) => isUnchanged(change, revision, object)) &&
        isSameText(valueIn(now(change, node.object)), valueIn(then(revision, node.object))) &&
        holders.every((object) => hasDrawings(change, revision, then(revision, object))),
    )
    if (signed === undefined) return false
    for (const object of holders) putBack(change, object, then(signed, object))
    return true
  } catch (error) {
    if (error instanceof NotStrict) return false
    throw error
  }
}

function now({ document }: Change, object: PDFObject): StrictValue {
  return parsed(bodyOf(document, object))
}

/** The dictionary of a stream is parsed; its data is not. */
const parsed = (body: Uint8Array): StrictValue => parseValue(new Scanner(new MemoryBytes(body), 0))

function then(revision: StrictRevision, object: PDFObject): StrictValue {
  const number = objectNumberOf(object)
  const generation = number === undefined ? undefined : revision.generationOf(number)
  return number === undefined || generation === undefined ? null : revision.object({ number, generation })
}

const entryIn = (object: StrictValue, key: string): StrictValue => dictionaryOf(object)?.entries.get(key) ?? null
const valueIn = (object: StrictValue): StrictValue => entryIn(object, 'V')

/** True if the object is in the revision and differs at most in what follows from the value. */
const isUnchanged = (change: Change, revision: StrictRevision, object: PDFObject): boolean =>
  isSameDictionary(now(change, object), then(revision, object), freeKeys)

function isSameDictionary(one: StrictValue, other: StrictValue, free: ReadonlySet<string>): boolean {
  const [entries, others] = [dictionaryOf(one)?.entries, dictionaryOf(other)?.entries]
  if (entries === undefined || others === undefined) return false
  const keys = new Set([...entries.keys(), ...others.keys()])
  return [...keys].every((key) => free.has(key) || isSame(entryIn(one, key), entryIn(other, key)))
}

/** Compares what readers show; a missing value is an empty text, and a button without one is off. */
function isSameText(one: StrictValue, other: StrictValue): boolean {
  return isSame(one, other) || shownBy(one) === shownBy(other)
}

function shownBy(value: StrictValue): string | undefined {
  const items = ofKind(value, 'array')?.items
  if (items !== undefined) return items.length === 0 ? '' : JSON.stringify(items.map((item) => textOf(item)))
  const name = nameOf(value)
  return value === null || name === 'Off' ? '' : (name ?? textOf(value))
}

/** True if the objects of the appearances are as the revision has them. */
function hasDrawings(change: Change, revision: StrictRevision, widget: StrictValue): boolean {
  return drawingsIn(revision, entryIn(widget, 'AP')).every((number) => {
    const reference = change.pdf.newIndirect(number)
    const signed = then(revision, reference)
    const stream = ofKind(signed, 'stream')
    if (!isSameDictionary(now(change, reference), signed, lengthKey)) return false
    if (stream === undefined || !isStream(reference)) return stream === undefined && !isStream(reference)
    return Buffer.compare(storedBytes(reference), change.signedBase?.rawBytes(stream) ?? Buffer.alloc(0)) === 0
  })
}

/** Returns the numbers of the objects that an appearance dictionary consists of. */
function drawingsIn(revision: StrictRevision, value: StrictValue, depth = 0): readonly number[] {
  const reference = ofKind(value, 'reference')
  const target = reference === undefined ? value : revision.object(reference)
  const own = reference === undefined ? [] : [reference.number]
  const inner = depth > 2 ? [] : [...(ofKind(target, 'dictionary')?.entries.values() ?? [])]
  return [...own, ...inner.flatMap((entry) => drawingsIn(revision, entry, depth + 1))]
}

function putBack(change: Change, object: PDFObject, signed: StrictValue): void {
  hideOwnDrawings(change, change.touch(object))
  for (const key of valueKeys) {
    const value = entryIn(signed, key)
    if (value === null) object.delete(key)
    else object.put(key, written(change.pdf, value))
  }
}

function written(pdf: PDFDocument, value: StrictValue): PDFObject {
  if (value === null) return pdf.newNull()
  if (typeof value === 'boolean') return pdf.newBoolean(value)
  if (typeof value === 'number') return Number.isInteger(value) ? pdf.newInteger(value) : pdf.newReal(value)
  if (value.kind === 'name') return pdf.newName(nameFromBytes(value.name))
  if (value.kind === 'string') return pdf.newByteString(value.bytes)
  if (value.kind === 'reference') return pdf.newIndirect(value.number)
  if (value.kind === 'array') {
    const array = pdf.newArray()
    for (const item of value.items) array.push(written(pdf, item))
    return array
  }
  if (value.kind === 'stream') throw new Error('A stream is an object of its own')
  const dictionary = pdf.newDictionary()
  for (const [key, item] of value.entries) dictionary.put(nameFromBytes(key), written(pdf, item))
  return dictionary
}
