// Judges the trailer and the catalog, at which every walk begins.
import { integerOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { below, entryOf, entrySlot, itemsOf, keysOf, referenceKey, type Slot } from '../compare/slot.js'
import { judgeForm } from './form.js'
import { judgeInformation, judgeMetadata } from './metadata.js'
import { judgePageTree } from './page-tree.js'
import { judgeSecurityStore } from './security-store.js'

/** Entries about the structure of the file, which may change. */
const technical = ['Size', 'Prev', 'XRefStm', 'Type', 'W', 'Index', 'Filter', 'DecodeParms', 'Length']

export function judgeTrailer(comparison: Comparison): void {
  const trailer: Slot = {
    before: comparison.before.trailer,
    after: comparison.after.trailer,
    place: { holder: 0, path: '' },
  }
  const ignored = Object.fromEntries(technical.map((key) => [key, () => undefined]))
  judgeEntries(comparison, trailer, {
    roles: ['trailer'],
    walks: {
      ...ignored,
      AdditionalStreams: (slot) => judgeSources(comparison, slot),
      Root: (slot) => judgeCatalog(comparison, slot),
      Info: (slot) => judgeInformation(comparison, slot),
    },
    conditions: {
      ID: (slot) => identifierProblem(comparison, slot),
      DocChecksum: ({ after }) => (after === undefined ? undefined : 'The entry changed and was not left out'),
    },
  })
}

function judgeCatalog(comparison: Comparison, root: Slot): void {
  if (referenceKey(root.before) === undefined || referenceKey(root.before) !== referenceKey(root.after)) {
    comparison.findings.refuse('catalog-replaced', root.place)
  }
  const catalog = comparison.follow(root)
  comparison.enter(catalog.place, 'catalog')
  // Fields are judged before pages, which contain their widgets, and signatures before `/Perms`, which names one.
  comparison.attempt(catalog.place, () => judgeForm(comparison, entrySlot(catalog, 'AcroForm')))
  judgeEntries(comparison, catalog, {
    roles: ['catalog'],
    walks: {
      AcroForm: () => undefined,
      Pages: (slot) => judgePageTree(comparison, slot),
      Metadata: (slot) => judgeMetadata(comparison, slot),
      DSS: (slot) => judgeSecurityStore(comparison, slot),
      Extensions: (slot) => judgeExtensions(comparison, slot),
      Perms: (slot) => judgePermissions(comparison, slot),
    },
    conditions: { Version: versionProblem },
    drawn: ['OCProperties'],
  })
}

/** Judges the source document that an office program embeds. It may be left out or written again, but not replaced. */
function judgeSources(comparison: Comparison, entry: Slot): void {
  const list = comparison.follow(entry)
  const before = itemsOf(list.before)
  const items = itemsOf(list.after).map((item, index) =>
    comparison.follow({ before: before[index], after: item, place: below(list.place, index) }),
  )
  const isKept =
    list.after === undefined || (items.length === before.length && items.every((item) => comparison.isSame(item)))
  if (!isKept || !comparison.isSame(entry)) {
    comparison.allow('private-trailer-entry', entry.place, isKept ? undefined : 'Another source of the document')
  }
  if (list.after !== undefined) {
    comparison.looseEnds.push({ value: list.after, holder: list.place.holder, realm: 'other', rule: 'followed-entry' })
  }
}

/**
 * Returns why the identifier may not change; undefined if it may. Nothing that is shown depends on it, but the key of an encrypted
 * file depends on its first half.
 */
function identifierProblem(comparison: Comparison, slot: Slot): string | undefined {
  const first = (value: Slot['before']) => ofKind(value, 'array')?.items[0]
  const halves = {
    before: first(comparison.before.resolve(slot.before)),
    after: first(comparison.after.resolve(slot.after)),
    place: slot.place,
  }
  if (comparison.document.isEncrypted && (halves.before === undefined || !comparison.isSame(halves))) {
    return 'The first half changed, and the file is encrypted'
  }
  return ofKind(comparison.after.resolve(halves.after), 'string') === undefined ? 'Not an identifier' : undefined
}

function versionProblem({ before, after }: Slot): string | undefined {
  const [old, now] = [nameOf(before) ?? '1.0', nameOf(after)]
  return now !== undefined && /^[12]\.\d$/.test(now) && now >= old ? undefined : 'Not a higher version'
}

/** Judges developer extensions: they may be added or get a higher level, but not change otherwise. */
function judgeExtensions(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'catalog')
  if (!comparison.isSame(slot)) {
    const isAdded = keysOf(slot).every((key) => {
      const extension = entrySlot(slot, key)
      return key === 'Type' || extension.before === undefined || isHigher(comparison, comparison.follow(extension))
    })
    comparison.allow('developer-extensions', slot.place, isAdded ? undefined : 'An extension changed')
  }
  for (const key of keysOf(slot)) {
    const extension = comparison.follow(entrySlot(slot, key))
    comparison.enter(extension.place, 'catalog')
    // An inline extension is part of the dictionary that was judged above.
    const number = extension.place.path === '' ? extension.place.holder : 0
    if (!comparison.changes.has(number)) continue
    const isAllowed = extension.before === undefined ? isNewObject(comparison, number) : isHigher(comparison, extension)
    comparison.allow('developer-extensions', extension.place, isAllowed ? undefined : 'An extension changed')
  }
}

const isNewObject = (comparison: Comparison, number: number): boolean =>
  number === 0 || comparison.changes.get(number)?.kind === 'added'

const extensionKeys: ReadonlySet<string> = new Set([
  'Type',
  'BaseVersion',
  'ExtensionLevel',
  'ExtensionRevision',
  'URL',
])

function isHigher(comparison: Comparison, extension: Slot): boolean {
  if (!keysOf(extension).every((key) => extensionKeys.has(key))) return comparison.isSame(extension)
  const level = (value: Slot['before']) => integerOf(entryOf(value, 'ExtensionLevel')) ?? Number.NaN
  return comparison.isSame(extension) || level(extension.after) >= level(extension.before)
}

/**
 * Judges `/Perms`: it may name a certification that was added in the same step, if it is the first signature. Before any
 * signature, usage rights may go.
 */
function judgePermissions(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'catalog')
  if (comparison.isSame(slot) && comparison.isSame(entry)) {
    if (slot.after === undefined) return
    comparison.looseEnds.push({ value: slot.after, holder: slot.place.holder, realm: 'other' })
    return
  }
  const reference = ofKind(entryOf(slot.after, 'DocMDP'), 'reference')
  const isNew = reference !== undefined && comparison.newSignatures.has(reference.number)
  const keys = keysOf(slot).filter((key) => entryOf(slot.after, key) !== undefined || !usageRights.has(key))
  if (keys.length === 0) {
    const isSigned = comparison.restraints.isSigned
    comparison.allow('usage-rights', slot.place, isSigned ? 'The document was signed before' : undefined)
    return
  }
  const problem = comparison.restraints.isSigned
    ? 'The document was signed before'
    : keys.join() !== 'DocMDP' || entryOf(slot.before, 'DocMDP') !== undefined || !isNew
      ? 'Not a certification by a new signature'
      : undefined
  comparison.allow('certification', slot.place, problem)
}

const usageRights: ReadonlySet<string> = new Set(['UR', 'UR3'])
