// Reads the restrictions of a signature and its field: DocMDP, FieldMDP and `/Lock` (ISO 32000-2, 12.8.2 and 12.7.5.5).
// Entries that cannot be understood count as the strictest restriction.
import type { DocMdpPermission, FieldLock } from '../../contract/signatures/field-lock.js'
import type { StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary } from '../../strict-reader/values.js'
import { nameOf, ofKind } from '../../strict-reader/values-of.js'
import { dictionaryAt, elementsAt, entryOf } from './entries.js'
import { readingLimits } from './reading-limits.js'
import { textOf } from './text-string.js'

export interface Transforms {
  readonly docMdp: DocMdpPermission | null
  readonly fieldMdps: readonly FieldLock[]
}

const actions: Readonly<Record<string, FieldLock['action']>> = { All: 'all', Include: 'include', Exclude: 'exclude' }
/** Permission of a certification that states none. */
export const defaultPermission: DocMdpPermission = 2

export function transformsOf(revision: StrictRevision, signature: StrictDictionary): Transforms {
  let docMdp: DocMdpPermission | null = null
  const fieldMdps: FieldLock[] = []
  for (const item of elementsAt(revision, signature, 'Reference').slice(0, readingLimits.listMax)) {
    const reference = ofKind(revision.resolve(item), 'dictionary')
    const method = nameOf(entryOf(revision, reference, 'TransformMethod'))
    const parameters = dictionaryAt(revision, reference, 'TransformParams')
    if (method === 'DocMDP') {
      const permission = permissionOf(revision, parameters) ?? defaultPermission
      docMdp = docMdp === null || permission < docMdp ? permission : docMdp
    }
    if (method === 'FieldMDP') fieldMdps.push(lockIn(revision, parameters))
  }
  return { docMdp, fieldMdps }
}

/** Returns `/Lock` of a field; null if it has none. */
export function lockOf(revision: StrictRevision, field: StrictDictionary): FieldLock | null {
  const lock = dictionaryAt(revision, field, 'Lock')
  return lock === undefined ? null : lockIn(revision, lock)
}

function lockIn(revision: StrictRevision, dictionary: StrictDictionary | undefined): FieldLock {
  const action = actions[nameOf(entryOf(revision, dictionary, 'Action')) ?? ''] ?? 'all'
  const permission = permissionOf(revision, dictionary)
  const items = elementsAt(revision, dictionary, 'Fields')
  const names = items.slice(0, readingLimits.listMax).map((item) => textOf(revision.resolve(item)))
  const isReadable = items.length <= readingLimits.listMax && names.every((name) => name !== undefined)
  const rest = permission === undefined ? {} : { permission }
  return action === 'all' || !isReadable
    ? { action: 'all', fields: [], ...rest }
    : { action, fields: names.filter((name) => name !== undefined), ...rest }
}

/** Returns undefined if there is no `/P`. */
function permissionOf(
  revision: StrictRevision,
  dictionary: StrictDictionary | undefined,
): DocMdpPermission | undefined {
  const value = entryOf(revision, dictionary, 'P')
  if (value === null) return undefined
  return value === 2 || value === 3 ? value : 1
}
