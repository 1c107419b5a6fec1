// `metadata.update`, and its undo: changes the metadata of a document.

import type { Change } from '../change/change.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { MetadataUpdate } from '../contract/ops/metadata-update.js'
import { readMetadata } from '../metadata/metadata.js'
import { type Member, type Members, members } from '../metadata/writing/information.js'
import { tidyPatch } from '../metadata/writing/tidy-patch.js'
import { asRead, differences, pick, writeMetadata } from '../metadata/writing/write-metadata.js'

interface MetadataStep extends UndoStep {
  readonly type: 'metadata.update'
  readonly before: Members
  readonly after: Members
}

export const work = opWork(MetadataUpdate, {
  apply({ patch, expect = {} }, change) {
    const fields = differences(asRead(tidyPatch(expect)), readMetadata(change.reading()))
    if (fields.length > 0) throw new JobRefusal('ChangeConflict', 'The metadata is not what was expected', { fields })
    return { type: 'metadata.update' as const, ...update(change, tidyPatch(patch)) }
  },
})

/** Restores a member if it still has the value that the op set. */
export const undos = [
  undoWork<MetadataStep>({
    type: 'metadata.update',
    apply({ before, after }, change) {
      const now = readMetadata(change.reading())
      const skipped = differences(after, now)
      const restored: readonly Member[] = members.filter((member) => member in before && !skipped.includes(member))
      const done = update(change, pick(before, restored))
      return { type: 'metadata.update', ...done, ...(skipped.length > 0 && { skipped: [...skipped] }) }
    },
  }),
]

function update(change: Change, patch: Members) {
  const before = readMetadata(change.reading())
  const metadata = writeMetadata(change, patch)
  const changed = differences(metadata, before)
  if (changed.length > 0) {
    const step: MetadataStep = {
      type: 'metadata.update',
      before: pick(before, changed),
      after: pick(metadata, changed),
    }
    change.undoBy(step)
  }
  return { metadata, meta: { affectedPages: [], undoable: true } }
}
