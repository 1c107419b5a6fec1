// Reads actions and their successors as trees (ISO 32000-2, 12.6). A cyclic or too long chain is cut and marked as
// such.
import type { PDFObject } from 'mupdf'
import {
  type ActionNode,
  type ActionTree,
  type ActionType,
  type ActionWarning,
  actionWarnings,
} from '../contract/action-tree.js'
import type { AnnotationActions } from '../contract/annotation-actions.js'
import type { FieldActions } from '../contract/field-actions.js'
import type { Reading } from '../document/reading.js'
import { lookUp } from '../objects/look-up.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, objectNumberOf } from '../objects/values.js'
import { payloadOf } from './action-payloads.js'

const actionTypes: Readonly<Record<string, ActionType>> = {
  GoTo: 'goto',
  GoToR: 'goto-remote',
  GoToE: 'goto-embedded',
  Launch: 'launch',
  Thread: 'thread',
  URI: 'uri',
  Sound: 'sound',
  Movie: 'movie',
  Hide: 'hide',
  Named: 'named',
  SubmitForm: 'submit-form',
  ResetForm: 'reset-form',
  ImportData: 'import-data',
  JavaScript: 'javascript',
  SetOCGState: 'set-ocg-state',
  Rendition: 'rendition',
  Trans: 'transition',
  GoTo3DView: 'goto-3d-view',
}

export const annotationEvents: Readonly<Record<string, Exclude<keyof AnnotationActions, 'activate'>>> = {
  E: 'cursorEnter',
  X: 'cursorExit',
  D: 'mouseDown',
  U: 'mouseUp',
  Fo: 'focus',
  Bl: 'blur',
  PO: 'pageOpen',
  PC: 'pageClose',
  PV: 'pageVisible',
  PI: 'pageInvisible',
}

export const fieldEvents: Readonly<Record<string, keyof FieldActions>> = {
  K: 'keystroke',
  F: 'format',
  V: 'validate',
  C: 'calculate',
}

const eventsOfDocument = {
  WC: 'willClose',
  WS: 'willSave',
  DS: 'didSave',
  WP: 'willPrint',
  DP: 'didPrint',
} as const

const pageEvents: Readonly<Record<string, 'open' | 'close'>> = { O: 'open', C: 'close' }

/** Returns null if no event has an action. */
export function annotationActions(reading: Reading, annotation: PDFObject): AnnotationActions | null {
  const activate = actionTree(reading, entry(annotation, 'A'))
  const others = eventsOf(reading, annotation, annotationEvents)
  if (activate === undefined) return others ?? null
  return { activate, ...others }
}

export const fieldActions = (reading: Reading, field: PDFObject): FieldActions | undefined =>
  eventsOf(reading, field, fieldEvents)

export const documentEvents = (reading: Reading, catalog: PDFObject) => eventsOf(reading, catalog, eventsOfDocument)

export const pageActions = (reading: Reading, page: PDFObject) => eventsOf(reading, page, pageEvents)

function eventsOf<Event extends string>(
  reading: Reading,
  owner: PDFObject,
  events: Readonly<Record<string, Event>>,
): { [E in Event]?: ActionTree } | undefined {
  const additional = entry(owner, 'AA')
  if (!isDictionary(additional)) return undefined
  const found: { [E in Event]?: ActionTree } = {}
  for (const [key, event] of Object.entries(events)) {
    const tree = actionTree(reading, entry(additional, key))
    if (tree !== undefined) found[event] = tree
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** Returns the tree; undefined if there is no action, and a tree without a root if the value is not a valid action. */
export function actionTree(reading: Reading, action: PDFObject): ActionTree | undefined {
  if (isMissing(action)) return undefined
  const walk: Walk = { reading, path: new Set(), warnings: new Set(), count: 0 }
  const root = nodeOf(walk, action, 0) ?? null
  const warnings = actionWarnings.filter((warning) => walk.warnings.has(warning))
  return {
    root,
    incomplete: walk.warnings.has('incomplete'),
    warningFlags: warnings.reduce((flags, warning) => flags | (1 << actionWarnings.indexOf(warning)), 0),
    warnings,
  }
}

interface Walk {
  readonly reading: Reading
  /**
   * Object numbers on the path from the root. An object that occurs in it again is a cycle; on another path it is not.
   */
  readonly path: Set<number>
  readonly warnings: Set<ActionWarning>
  count: number
}

function nodeOf(walk: Walk, action: PDFObject, depth: number): ActionNode | undefined {
  if (!walk.reading.budget.takeActionParts(1)) return drop(walk, 'incomplete')
  if (!isDictionary(action)) return drop(walk, 'malformed-next')
  if (depth >= readingLimits.actionDepthMax || isFull(walk)) return drop(walk, 'incomplete')
  const number = objectNumberOf(action)
  if (number !== undefined && walk.path.has(number)) return drop(walk, 'cycle-dropped')
  walk.count++
  if (number !== undefined) walk.path.add(number)
  const subtype = walk.reading.name(action, 'S') ?? ''
  const next = followersOf(walk, action, depth)
  if (number !== undefined) walk.path.delete(number)
  const { payload, isDropped = false, isIncomplete = false } = payloadOf(walk.reading, action, subtype)
  if (isDropped) walk.warnings.add('payload-dropped')
  if (isIncomplete) walk.warnings.add('incomplete')
  const type = lookUp(actionTypes, subtype) ?? 'unknown'
  // A view of nothing is not one.
  const isLost = type === 'goto' && payload.destination === undefined
  return { type: isLost ? 'unknown' : type, subtype, ...payload, next }
}

/** Records the warning with which an action is left out. */
function drop(walk: Walk, warning: ActionWarning): undefined {
  walk.warnings.add(warning)
}

/** Reads successors until the tree has as many actions as it may have. */
function followersOf(walk: Walk, action: PDFObject, depth: number): ActionNode[] {
  const nodes: ActionNode[] = []
  for (const follower of valuesOf(entry(action, 'Next'))) {
    const node = nodeOf(walk, follower, depth + 1)
    if (node !== undefined) nodes.push(node)
    else if (isFull(walk)) break
  }
  return nodes
}

const valuesOf = (next: PDFObject): Iterable<PDFObject> =>
  isMissing(next) ? [] : isArray(next) ? elementsOf(next, readingLimits.actionsMax) : [next]

/** True if no further action becomes part of the tree, or if those of the whole answer are used up. */
const isFull = ({ count, reading }: Walk): boolean =>
  count >= readingLimits.actionsMax || !reading.budget.hasActionParts
