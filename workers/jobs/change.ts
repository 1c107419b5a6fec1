// Applies the ops of one change, together or not at all, to the hot copy of a layer, and answers everything that must be
// committed. The copy is kept under the key it will have once that happened; if it does not, nobody ever asks for it.
import { Change, repairWanted } from '../change/change.js'
import type { EffectList } from '../change/effects.js'
import { refuseUnwritable } from '../change/refuse-unwritable.js'
import { type RewrittenBase, rewriteBase } from '../change/rewritten-base.js'
import type { TouchedAnnotation } from '../change/touched-annotations.js'
import type { Resource, Stamp, UndoStep, UnfinishedItem } from '../change/unfinished-item.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { isTrap } from '../engine/trap.js'
import type { InlineAnnotation } from '../messages/task.js'
import type { ObjectImage } from '../objects/object-image.js'
import { withShaping } from '../text/shaping/tools.js'
import type { Job, JobTools, OnDocument } from './job.js'
import { opWorks, type RunnableWork, undoWorks } from './load-op-work.js'

interface Typed {
  readonly type: string
}

export type Work =
  | { readonly kind: 'ops'; readonly ops: readonly Typed[] }
  | { readonly kind: 'undo'; readonly steps: readonly UndoStep[] }

export interface ChangeInput extends OnDocument {
  readonly work: Work
  /** The key of the layer's content when the change is committed. */
  readonly keyAfter: string
  readonly nextObject: number
  readonly stamp: Stamp
  readonly inline: readonly InlineAnnotation[]
  readonly resources: Readonly<Record<string, Resource>>
  /** Path in the staging folder for a rewritten base, if the ops need one; must not exist. */
  readonly rewrittenPath: string
}

export interface ChangeOutput {
  /** Items in op order; `meta` is completed when the change is committed. */
  readonly items: readonly UnfinishedItem[]
  /** Empty where the base was rewritten. */
  readonly images: readonly ObjectImage[]
  readonly effects: EffectList
  /** Whoever makes the change must have the right to do this to each of them. */
  readonly touchedAnnotations: readonly TouchedAnnotation[]
  /** Undo steps in the order they are run; null = this change cannot be undone. */
  readonly undo: readonly UndoStep[] | null
  /** No earlier change of the layer can be undone any more. */
  readonly endsUndo: boolean
  readonly nextObject: number
  /** Annotations the file stored inline that became objects of their own. */
  readonly promoted: readonly InlineAnnotation[]
  /** The file the layer is from now on over, alone: nothing of what was taken out is in it. */
  readonly rewritten: RewrittenBase | null
}

export const change: Job<ChangeInput, ChangeOutput> = {
  kind: 'write',
  deadline: { constantMs: 20_000, perMegabyteMs: 100 },
  run: (input, tools) => withShaping(() => changed(input, tools)),
}

function changed(
  { source, work, keyAfter, rewrittenPath, ...surroundings }: ChangeInput,
  { take, keep, limits }: JobTools,
): ChangeOutput {
  const document = take(source)
  try {
    const making = new Change(document, { ...surroundings, itemsMax: limits.itemsMax })
    const items = work.kind === 'ops' ? run(work.ops, opWorks, making) : run(work.steps, undoWorks, making)
    // Before the base is rewritten: then nothing is left of what was removed.
    const { touchedAnnotations } = making
    const rewritten = making.needsRewrite
      ? rewriteBase(making, { path: rewrittenPath, password: source.password })
      : null
    const images = rewritten ? [] : making.images()
    // The engine repaired the file in memory: earlier changes are lost from this copy.
    if (document.pdf.wasRepaired()) throw repairWanted()
    const { nextObject, undoSteps, endsUndo, isUndoable, promoted } = making
    if (rewritten || making.needsReopening) document.destroy()
    else keep({ ...source, key: keyAfter }, document)
    const undo = isUndoable ? undoSteps : null
    const effects = making.effects.list()
    return { items, images, effects, touchedAnnotations, undo, endsUndo, nextObject, promoted, rewritten }
  } catch (error) {
    // A change refused on the damaged file may succeed once the file is repaired.
    const isDamaged = !isTrap(error) && document.pdf.wasRepaired()
    document.destroy()
    throw isDamaged ? repairWanted() : error
  }
}

function run(
  all: readonly Typed[],
  entries: ReadonlyMap<string, RunnableWork>,
  making: Change,
): readonly UnfinishedItem[] {
  return all.map((one, opIndex) => {
    const entry = entries.get(one.type)
    if (entry === undefined) throw new JobRefusal('InvalidArg', `There is no op ${one.type}`, { opIndex })
    try {
      // Steps of an undo were made here, of what a file held: they are taken as they are.
      if (entries === opWorks) refuseUnwritable(one)
      making.begin(one.type)
      return entry.apply(one, making)
    } catch (error) {
      throw error instanceof JobRefusal
        ? new JobRefusal(error.code, error.message, { ...error.details, opIndex })
        : error
    }
  })
}
