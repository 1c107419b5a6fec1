// Writes the actions of a widget's events. Scripts can be written; other actions can only stay or be removed, because
// a read does not return all of them.
import { isDeepStrictEqual } from 'node:util'
import type { PDFDocument, PDFObject } from 'mupdf'
import { ensureDictionary, type Target } from '../../annotations/entries.js'
import type { Change } from '../../change/change.js'
import type { ActionNode, WrittenActionTree } from '../../contract/action-tree.js'
import type { AnnotationActions } from '../../contract/annotation-actions.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import type { ActionsPatch } from '../../contract/widget-look.js'
import { entriesOf, entry } from '../../objects/values.js'
import { annotationEvents } from '../../targets/actions.js'

/** Maximum length of a chain of actions. */
const depthMax = 32

type Event = keyof AnnotationActions

/**
 * Actions that reads do not return completely. They are stored as objects, so that an undo can restore them exactly.
 */
export interface KeptActions {
  /** Object numbers of actions by event. */
  readonly by: Readonly<Partial<Record<Event, number>>>
  /** Object numbers of those actions that nothing else uses. */
  readonly own: readonly number[]
}

export const noActions: KeptActions = { by: {}, own: [] }

/** Returns the former actions as a patch, in which an event that had no action loses its present one. */
export const actionsBefore = (before: AnnotationActions | null, after: AnnotationActions | null): ActionsPatch | null =>
  before && { ...Object.fromEntries(Object.keys(after ?? {}).map((event) => [event, null])), ...before }

/** Writes the actions. Returns those that were removed or replaced and cannot be written again. Throws `InvalidArg`. */
export function writeActions(
  target: Target,
  patch: ActionsPatch | null,
  now: AnnotationActions | null,
  restored: KeptActions = noActions,
): KeptActions {
  const by: Partial<Record<Event, number>> = {}
  const own = [...restored.own]
  const keys = new Map<Event, string>(Object.entries(annotationEvents).map(([key, event]) => [event, key]))
  const events: readonly Event[] = ['activate', ...keys.keys()]
  for (const event of events) {
    const tree = patch === null ? null : patch[event]
    if (tree === undefined || isSame(tree?.root ?? null, now?.[event]?.root ?? null)) continue
    const key = keys.get(event)
    const owner = key === undefined ? target.object : ensureDictionary(target, 'AA')
    const former = now?.[event]
    if (former !== undefined && !isWritable(former.root, 0))
      by[event] = store(target.change, owner.get(key ?? 'A'), own)
    const number = restored.by[event]
    if (tree === null) owner.delete(key ?? 'A')
    else
      owner.put(
        key ?? 'A',
        number === undefined ? actionFrom(target.change, tree, event) : showAgain(number, target, own),
      )
  }
  if (entriesOf(entry(target.object, 'AA'), 1).length === 0) target.object.delete('AA')
  return { by, own }
}

function store(change: Change, action: PDFObject, own: number[]): number {
  const reference = action.isIndirect() ? action : change.create(action)
  const number = reference.asIndirect()
  if (!action.isIndirect()) own.push(number)
  if (own.includes(number)) change.hide(reference)
  return number
}

function showAgain(number: number, { change }: Target, own: readonly number[]): PDFObject {
  const reference = change.pdf.newIndirect(number)
  if (own.includes(number)) change.show(reference)
  return reference
}

/** True if the written action says nothing else than the present one. It may leave members out, as older clients do. */
function isSame(written: ActionNode | null, now: ActionNode | null): boolean {
  if (written === null || now === null) return written === now
  const { next, ...members } = written
  const present: Readonly<Record<string, unknown>> = { ...now }
  return (
    Object.entries(members).every(([name, value]) => isDeepStrictEqual(value, present[name])) &&
    next.length === now.next.length &&
    next.every((follower, index) => isSame(follower, now.next[index] ?? null))
  )
}

const isWritable = (node: ActionNode | null, depth: number): boolean =>
  node?.type === 'javascript' &&
  node.script !== undefined &&
  depth <= depthMax &&
  node.next.every((follower) => isWritable(follower, depth + 1))

function actionFrom({ pdf }: Change, { root }: WrittenActionTree, event: Event): PDFObject {
  if (root === null || !isWritable(root, 0)) throw unwritable(event)
  return dictionaryOf(pdf, root)
}

function dictionaryOf(pdf: PDFDocument, node: ActionNode): PDFObject {
  const action = pdf.newDictionary()
  action.put('S', pdf.newName('JavaScript'))
  action.put('JS', pdf.newString(node.script ?? ''))
  const next = node.next.map((follower) => dictionaryOf(pdf, follower))
  if (next.length > 0) {
    const followers = pdf.newArray()
    for (const follower of next) followers.push(follower)
    action.put('Next', followers)
  }
  return action
}

const unwritable = (event: Event): JobRefusal =>
  new JobRefusal('InvalidArg', `On ${event} only scripts can be written; other actions can be kept or removed`, {
    member: `actions.${event}`,
  })
