// Writes what happens on the events of a widget. Scripts can be written; any other action only stays or goes, because a
// read does not tell all of it.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import { annotationEvents } from '../../pdf/actions.js'
import { entriesOf, entry } from '../../pdf/values.js'
import type { ActionNode, ActionTree } from '../../shapes/action-tree.js'
import type { AnnotationActions } from '../../shapes/annotation-actions.js'
import type { ActionsPatch } from '../../shapes/changes/forms-look.js'
import { JobRefusal } from '../../task.js'
import { ownDictionary, type Target } from '../annotations/entries.js'
import type { Change } from '../change.js'

/** Levels of one chain. */
const depthMax = 32

type Event = keyof AnnotationActions

/** Throws `InvalidArg`. */
export function writeActions(target: Target, patch: ActionsPatch | null, now: AnnotationActions | null): void {
  const keys = new Map<Event, string>(Object.entries(annotationEvents).map(([key, event]) => [event, key]))
  const events: readonly Event[] = ['activate', ...keys.keys()]
  for (const event of events) {
    const tree = patch === null ? null : patch[event]
    if (tree === undefined || isDeepStrictEqual(tree, now?.[event] ?? null)) continue
    const key = keys.get(event)
    const owner = key === undefined ? target.object : ownDictionary(target, 'AA')
    if (tree === null) owner.delete(key ?? 'A')
    else owner.put(key ?? 'A', actionFrom(target.change, tree, event))
  }
  if (entriesOf(entry(target.object, 'AA'), 1).length === 0) target.object.delete('AA')
}

function actionFrom(change: Change, { root }: ActionTree, event: Event): PDFObject {
  if (root === null) throw unwritable(event)
  return dictionaryOf(change, root, event, 0)
}

function dictionaryOf(change: Change, node: ActionNode, event: Event, depth: number): PDFObject {
  if (node.type !== 'javascript' || node.script === undefined || depth > depthMax) throw unwritable(event)
  const { pdf } = change
  const action = pdf.newDictionary()
  action.put('S', pdf.newName('JavaScript'))
  action.put('JS', pdf.newString(node.script))
  const next = node.next.map((follower) => dictionaryOf(change, follower, event, depth + 1))
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
