// Two layers of one document, of which one is published as a new version and the other is merged with it.
//
//     const { theirs, ours } = layersOf(t, everyField())
//     await theirs.apply(…)
//     await ours.apply(…)
//     const { conflicts, sent, reads } = await mergedOver(t, { theirs, ours })
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { MergeConflict } from '../../../workers/contract/merge-conflict.js'
import { delta } from '../../../workers/jobs/delta.js'
import { type MergeOutput, merge } from '../../../workers/jobs/merge.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { type ChangingLayer, layerOf } from './changing.js'
import { type Reads, readsOfFile } from './reads.js'
import { runner } from './running.js'
import { Workshop } from './workshop.js'

export interface Layers {
  readonly theirs: ChangingLayer
  readonly ours: ChangingLayer
}

/** Object numbers are unique in both, as the server assigns them. */
export function layersOf(t: Test, bytes: Uint8Array): Layers {
  const [theirs, ours] = [layerOf(t, bytes), layerOf(t, bytes)]
  ours.passNumbers(1_000)
  return { theirs, ours }
}

export interface Merged {
  readonly output: Extract<MergeOutput, { readonly state: 'merged' }>
  readonly conflicts: readonly MergeConflict[]
  /** Path of the version. */
  readonly version: string
  /** The merged layer: the version, and behind it one section. */
  readonly sent: string
  readonly source: PdfSource
  readonly reads: Reads
}

let files = 0

/** Merges the pending edits of `ours` with the version that `theirs` becomes, or with the file `version`. */
export async function mergedOver(t: Test, { theirs, ours }: Layers, version = theirs.sent()): Promise<Merged> {
  const output = await mergeOutputOf(t, { theirs, ours }, version)
  if (output.state === 'behind') throw new Error(`The layer was left behind: ${output.reason}`)
  const kept = new Set(output.kept)
  const images = [...ours.images.filter(({ number }) => kept.has(number)), ...output.images]
  const bytes = readFileSync(version)
  const source: PdfSource = {
    ...Workshop.of(t).source(bytes),
    overlay: { images, nextObject: output.nextObject, promoted: promotedOf({ theirs, ours }) },
  }
  const sent = Workshop.of(t).path(`merged-${++files}.pdf`)
  copyFileSync(version, sent)
  if (images.length > 0) {
    const path = Workshop.of(t).path(`section-${files}`)
    await runner(t)(delta, { source, path })
    appendFileSync(sent, readFileSync(path))
  }
  return { output, conflicts: output.conflicts.conflicts, version, sent, source, reads: readsOfFile(t, source) }
}

export async function mergeOutputOf(t: Test, { theirs, ours }: Layers, version = theirs.sent()): Promise<MergeOutput> {
  return await runner(t)(merge, {
    source: ours.source,
    onto: version,
    inline: ours.inline,
    promoted: promotedOf({ theirs, ours }),
    nextObject: Math.max(theirs.nextObject, ours.nextObject),
    conflictsGoTo: 'layer',
  })
}

function promotedOf({ theirs, ours }: Layers) {
  return [...new Map([...theirs.promoted, ...ours.promoted].map((one) => [one.objectNumber, one])).values()]
}
