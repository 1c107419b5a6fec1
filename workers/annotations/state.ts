// Computes the annotation after a write: the current members, or the defaults of a create, with the requested
// members.
import { isDeepStrictEqual } from 'node:util'
import { type Annotation, subtypeContracts } from '../contract/annotations/annotation.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { LazyCheck } from '../contract/lazy-check.js'
import type { PageBox } from '../contract/page-box.js'
import type { PageSpace } from '../document/page-space.js'
import { turned } from '../objects/rectangles.js'
import { wrong } from './members.js'
import { boxAroundQuads, isRegion, isRegionOfRect, quadOfBox } from './region-of-rect.js'
import type { SubtypeWriting, WriteContext } from './subtype-work.js'
import type { Members } from './written-members.js'

const checks: ReadonlyMap<unknown, LazyCheck> = new Map(
  subtypeContracts.map(({ subtype, schema }) => [subtype, new LazyCheck(schema)]),
)

function isAnnotation(value: unknown): value is Annotation {
  const { subtype }: { readonly subtype?: unknown } = Object(value)
  return checks.get(subtype)?.passes(value) === true
}

export interface WantedState extends WriteContext {
  readonly writing: Pick<SubtypeWriting, 'shape' | 'completed' | 'reconciled'>
  readonly space: PageSpace
}

/** Throws `InvalidArg` if members exclude each other. */
export function stateOf(wanted: WantedState): Annotation {
  const members = withShape({ ...wanted.before, ...withDashes(wanted) }, wanted)
  const { writing } = wanted
  const state = writing.completed?.(members, wanted) ?? members
  if (!isAnnotation(state)) throw new JobRefusal('InvalidArg', 'The members of the annotation contradict each other')
  return writing.reconciled?.(state, new Set(Object.keys(wanted.given))) ?? state
}

/** Reconciles dashes and style: dashes imply a dashed line, and a solid style no dashes. */
function withDashes({ given }: WantedState): Members {
  if (given['dashArray'] != null && given['borderStyle'] === undefined) return { ...given, borderStyle: 'dashed' }
  if (given['dashArray'] === null && given['borderStyle'] === undefined) return { ...given, borderStyle: 'solid' }
  return given['borderStyle'] === 'solid' ? { ...given, dashArray: null } : given
}

const placing = ['quadPoints', 'vertices', 'linePoints', 'inkList'] as const

function withShape(members: Members, { before, given, writing: { shape }, space }: WantedState): Members {
  const { rect, box } = given
  if (shape === 'region') return withRegion(members, { before, given })
  if (rect === undefined) return members
  if (shape === 'box') return box === undefined ? { ...members, box: boxIn(members, before, space) } : members
  const named = placing.find((member) => member in members && members[member] !== null)
  if (named === undefined) return members
  // The rectangle follows from the drawing; a read that is sent back contains both.
  if (given[named] === undefined) throw isComputed(named)
  return { ...members, rect: before['rect'] }
}

const isComputed = (member: string): Error => wrong('rect', `is computed from ${member}: send that instead`)

/** Reconciles the quads of a region and its rectangle. Null as quads stands for the rectangle. */
function withRegion(members: Members, { before, given }: WriteContext): Members {
  if (given['quadPoints'] != null) {
    return isRegion(members) && !isRegionOfRect(members)
      ? { ...members, rect: boxAroundQuads(members.quadPoints) }
      : members
  }
  const hasQuads = isRegion(before) && !isRegionOfRect(before)
  if (!hasQuads || given['quadPoints'] === null) {
    return isBox(members['rect']) ? { ...members, quadPoints: [quadOfBox(members['rect'])] } : members
  }
  if (given['rect'] !== undefined) throw isComputed('quadPoints')
  return members
}

/** Returns the shape whose upright bounding box is the rectangle. */
function boxIn(members: Members, before: Members, space: PageSpace): unknown {
  const { rect, rotation } = members
  if (!isBox(rect)) return undefined
  const degrees = typeof rotation === 'number' ? rotation : 0
  const [old, oldBox] = [before['rect'], before['box']]
  if (isBox(old) && isBox(oldBox)) {
    const isMoved = isSame(old.width, rect.width) && isSame(old.height, rect.height)
    if (isMoved) return { ...oldBox, x: oldBox.x + rect.x - old.x, y: oldBox.y + rect.y - old.y }
  }
  if (degrees % 90 !== 0)
    throw wrong('rect', 'does not determine a shape that is rotated by this angle: send box instead')
  return degrees % 180 === 0 ? rect : space.toPageBox(turned(space.toUserRect(rect)))
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < 1e-4

const isBox = (value: unknown): value is PageBox =>
  typeof value === 'object' && value !== null && 'x' in value && 'y' in value && 'width' in value && 'height' in value

/** Returns the members that differ from their former values, among those that are written. */
export const changedMembers = (before: Members, after: Annotation, members: Iterable<string>): ReadonlySet<string> => {
  const now: Members = { ...after }
  return new Set([...members].filter((member) => !isDeepStrictEqual(before[member], now[member])))
}
