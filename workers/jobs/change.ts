// Applies the ops of one change to the open copy of a layer, all or none, and returns everything that must be
// committed. The copy is cached under the key it has after the commit; if the commit fails, that key is never
// requested.
import { Change, repairWanted } from '../change/change.js'
import type { EffectList } from '../change/effects.js'
import { refuseUnwritable } from '../change/refuse-unwritable.js'
import { type RewrittenBase, rewriteBase } from '../change/rewritten-base.js'
import { SignedBase } from '../change/signed-base.js'
import type { Standings } from '../change/standing.js'
import type { TouchedAnnotation } from '../change/touched-annotations.js'
import type { Resource, Stamp, UndoStep, UnfinishedItem } from '../change/unfinished-item.js'
import { removeUsageRights } from '../change/usage-rights.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { DocumentProtection } from '../contract/signatures/protection.js'
import type { OpenDocument } from '../document/open-document.js'
import { isTrap } from '../engine/trap.js'
import type { InlineAnnotation } from '../messages/task.js'
import type { ObjectImage } from '../objects/object-image.js'
import { isGuarded, refuseForbiddenChange } from '../signing/refuse-forbidden.js'
import { withShaping } from '../text/shaping/shaping-tools.js'
import type { Job, JobTools, OnDocument } from './job.js'
import { opWorks, type RunnableWork, undoWorks } from './load-op-work.js'
import { imagesOf } from './strict-source.js'

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
  /** How many new object numbers the change may take. */
  readonly numbersMax: number
  /** Internal id of the document. */
  readonly documentId: string
  readonly stamp: Stamp
  readonly inline: readonly InlineAnnotation[]
  readonly resources: Readonly<Record<string, Resource>>
  /** Changes that the signatures of the layer's base permit; null = everything. */
  readonly protection: DocumentProtection | null
  /** References of the layer's base, stored by the job `references`; unused if the base is not certified. */
  readonly referencesPath?: string | undefined
  /** Whose the annotations are, for ops that find some by themselves. */
  readonly standings?: Standings | undefined
  /** Path in the staging folder for a rewritten base, if the ops need one; must not exist. */
  readonly rewrittenPath: string
}

export interface ChangeOutput {
  /** Items in op order; `meta` is completed when the change is committed. */
  readonly items: readonly UnfinishedItem[]
  /** Images of changed objects; empty if the base was rewritten. */
  readonly images: readonly ObjectImage[]
  readonly effects: EffectList
  /** Touched annotations: the caller must have the right to change each of them. */
  readonly touchedAnnotations: readonly TouchedAnnotation[]
  /** Numbers of the changed pages, counted from 1, as far as they are there after the change; the first ones of many. */
  readonly pageNumbers: readonly number[]
  /** Undo steps in the order they are run; null = this change cannot be undone. */
  readonly undo: readonly UndoStep[] | null
  /** True if no earlier change of the layer can be undone any more. */
  readonly endsUndo: boolean
  readonly nextObject: number
  /** Annotations that the file stores inline and that became indirect objects. */
  readonly promoted: readonly InlineAnnotation[]
  /** Rewritten base, which replaces the layer's base and overlay and contains none of the removed content. */
  readonly rewritten: RewrittenBase | null
  /** True if the change ends the usage rights of the file. */
  readonly usageRightsRemoved: boolean
}

export const change: Job<ChangeInput, ChangeOutput> = {
  kind: 'write',
  deadline: { constantMs: 20_000, perMegabyteMs: 100 },
  run: (input, tools) => withShaping(() => runChange(input, tools)),
}

function runChange(
  { source, work, keyAfter, rewrittenPath, referencesPath, ...surroundings }: ChangeInput,
  { take, keep, limits }: JobTools,
): ChangeOutput {
  const guarded = { source, protection: surroundings.protection, referencesPath }
  const before = isGuarded(guarded) ? imagesOf(source) : []
  const document = take(source)
  const signedBase = new SignedBase(source)
  try {
    const making = new Change(document, { ...surroundings, signedBase, itemsMax: limits.itemsMax })
    const items = work.kind === 'ops' ? run(work.ops, opWorks, making) : run(work.steps, undoWorks, making)
    // This is determined before the base is rewritten, which discards removed objects.
    const { touchedAnnotations } = making
    const pageNumbers = pageNumbersIn(document, making.effects.list())
    const usageRightsRemoved = (making.needsRewrite || making.images().length > 0) && removeUsageRights(making)
    const rewritten = making.needsRewrite
      ? rewriteBase(making, { path: rewrittenPath, password: source.password })
      : null
    const images = rewritten ? [] : making.images()
    making.protection.refuseAltered(making, rewritten ? undefined : images)
    refuseForbiddenChange(guarded, before, images)
    // The engine repaired the file in memory: earlier changes are lost from this copy.
    if (document.pdf.wasRepaired()) throw repairWanted()
    const { nextObject, undoSteps, endsUndo, isUndoable, promoted } = making
    if (rewritten || making.needsReopening) document.destroy()
    else keep({ ...source, key: keyAfter }, document)
    const undo = isUndoable ? undoSteps : null
    const effects = making.effects.list()
    const kept = { undo, endsUndo, nextObject, promoted, rewritten, usageRightsRemoved }
    return { items, images, effects, touchedAnnotations, pageNumbers, ...kept }
  } catch (error) {
    // A change refused on the damaged file may succeed once the file is repaired.
    const isDamaged = !isTrap(error) && document.pdf.wasRepaired()
    document.destroy()
    throw isDamaged ? repairWanted() : error
  } finally {
    signedBase.close()
  }
}

/** Pages that the audit log names. */
const pagesNamedMax = 20

function pageNumbersIn(document: OpenDocument, { pages }: EffectList): readonly number[] {
  const there = pages.map(({ page }) => page).filter((page) => document.hasPage(page))
  return there
    .slice(0, pagesNamedMax)
    .map((page) => document.indexOf(page) + 1)
    .sort((a, b) => a - b)
}

function run(
  all: readonly Typed[],
  entries: ReadonlyMap<string, RunnableWork>,
  making: Change,
): readonly UnfinishedItem[] {
  return all.map((one, opIndex) => {
    const entry = entries.get(one.type)
    if (entry === undefined) throw new JobRefusal('InvalidArg', `Unknown op ${one.type}`, { opIndex })
    try {
      // Undo steps are not checked: workers created them from values of a file.
      if (entries === opWorks) refuseUnwritable(one)
      making.protection.refuseClass(one.type, entry.protection)
      making.begin(one.type)
      return entry.apply(one, making)
    } catch (error) {
      throw error instanceof JobRefusal
        ? new JobRefusal(error.code, error.message, { ...error.details, opIndex })
        : error
    }
  })
}
