// `metadata.updateCustom`, and its undo: changes entries of the information dictionary that are not standardised.

import type { Change } from '../change/change.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { MetadataUpdateCustom } from '../contract/ops/metadata-update-custom.js'
import { shownName } from '../engine/names.js'
import { customEntries, isStandardKey, readCustomMetadata } from '../metadata/custom-metadata.js'
import { readingLimits } from '../objects/reading-limits.js'

/** Entries are used instead of members, because a key may be `__proto__`. */
type Entries = readonly (readonly [key: string, value: string | null])[]

interface CustomStep extends UndoStep {
  readonly type: 'metadata.updateCustom'
  readonly before: Entries
  readonly after: Entries
}

export const work = opWork(MetadataUpdateCustom, {
  apply({ patch }, change) {
    const entries = Object.entries(patch)
    for (const [key] of entries) {
      if (!isStandardKey(key)) continue
      const message = `${key} is no key of its own: metadata.update changes what it says`
      throw new JobRefusal('InvalidArg', message, { key })
    }
    return { type: 'metadata.updateCustom' as const, ...update(change, withOwnKeys(change, entries)) }
  },
})

export const undos = [
  undoWork<CustomStep>({
    type: 'metadata.updateCustom',
    apply({ before, after }, change) {
      const now = valuesIn(change)
      const skipped = after.filter(([key, value]) => (now.get(key) ?? null) !== value).map(([key]) => key)
      const restored = before.filter(([key]) => !skipped.includes(key))
      const done = update(change, restored)
      return { type: 'metadata.updateCustom', ...done, ...(skipped.length > 0 && { skipped: skipped.map(shownName) }) }
    },
  }),
]

function update(change: Change, patch: Entries) {
  const before = valuesIn(change)
  const changed = patch.filter(([key, value]) => (before.get(key) ?? null) !== value)
  if (changed.length > 0) {
    write(change, changed)
    change.effects.document('metadata')
    const step: CustomStep = {
      type: 'metadata.updateCustom',
      before: changed.map(([key]) => [key, before.get(key) ?? null]),
      after: changed,
    }
    change.undoBy(step)
  }
  return { custom: readCustomMetadata(change.reading()), meta: { affectedPages: [], undoable: true } }
}

function write(change: Change, entries: Entries): void {
  const information = change.touchInfo()
  for (const [key, value] of entries) {
    if (value === null) information.delete(key)
    else information.put(key, change.pdf.newString(value))
  }
  let count = 0
  information.forEach(() => {
    count++
  })
  const max = readingLimits.customEntriesMax
  if (count <= max) return
  const details = { limit: 'customEntriesMax', max, value: count }
  throw new JobRefusal('PayloadTooLarge', `The document would have more than ${max} entries of metadata`, details)
}

/** Replaces keys as clients read them by the keys stored in the file. */
function withOwnKeys(change: Change, entries: Entries): Entries {
  const own = new Map(customEntries(change.reading()).map(({ key }) => [shownName(key), key]))
  return entries.map(([key, value]) => [own.get(key) ?? key, value])
}

const valuesIn = (change: Change): ReadonlyMap<string, string | null> =>
  new Map(customEntries(change.reading()).map(({ key, text }) => [key, text]))
