// The work of an annotation subtype: how its members are read, written and drawn. It is in `subtypes`, in the file of
// the same name as the contract of the subtype in `workers/contract/annotations`.
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import type { AnnotationCommon } from '../contract/annotations/common.js'
import type { SubtypeContract } from '../contract/annotations/subtype-contract.js'
import type { ResourceKeys } from '../contract/resource-keys.js'
import type { PageSpace } from '../document/page-space.js'
import type { Sheet } from './drawing/sheet.js'
import type { AnnotationSource, ReadAnnotation } from './reading/annotation-source.js'
import { flagNames } from './reading/common.js'
import { commonGroups } from './writing/common.js'
import type { MemberGroup, WrittenMembers } from './writing/member-group.js'
import type { Members } from './written-members.js'

/**
 * Source of `/Rect`: given, derived from a box, or derived from what the other members draw; that of a region is given
 * unless it has quads of its own.
 */
export type Shape = 'rect' | 'box' | 'drawn' | 'region'

/** Members before a write, and those that it contains. */
export interface WriteContext {
  readonly before: Members
  readonly given: Members
}

interface Drawing {
  /** Subtype of the annotation: the one of the work, or one that is `like` it. */
  readonly subtype: string
  readonly space: PageSpace
  readonly picture: PDFObject | undefined
}

/**
 * Work of any subtype; a `state` that is passed must be of that subtype. Members are declared as methods, so that all
 * works fit into one table.
 */
export interface SubtypeWriting {
  /** Value of `/Subtype`. */
  readonly name: string
  readonly shape: Shape
  /** Values of members that a create leaves out. */
  readonly standard: Members
  readonly groups: readonly AnyGroup[]
  /** Members whose change does not redraw the annotation. */
  readonly invisible: ReadonlySet<string>
  /** Role of a file in a request: the picture that is drawn, or the file that is attached. */
  readonly resource?: keyof ResourceKeys
  /** Returns standard values that depend on what a create contains. */
  standardFor?(given: Members): Members
  /** Adds what the written form of members may omit. */
  completed?(members: Members, write: WriteContext): Members
  /** Adapts members to those that the write contains. */
  reconciled?(state: Annotation, given: ReadonlySet<string>): Annotation
  /** Puts entries of a new annotation that follow from no member. */
  begin?(object: PDFObject): void
  /** Draws the annotation; absent if annotations of the subtype have no appearance. */
  draw?(sheet: Sheet, state: Annotation, drawing: Drawing): void
}

interface AnyGroup {
  readonly members: readonly string[]
  write(state: Annotation, written: WrittenMembers): void
}

export interface SubtypeWork {
  readonly subtype: string
  readonly read: ReadAnnotation
  /** Undefined = annotations of the subtype can only be read. */
  readonly writing: SubtypeWriting | undefined
}

type StateOf<Contract extends SubtypeContract> = Extract<Annotation, { readonly subtype: Contract['subtype'] }>

interface Reader<State> {
  read(source: AnnotationSource, common: AnnotationCommon): State
}

interface Work<State>
  extends Reader<State>,
    Pick<SubtypeWriting, 'shape' | 'resource' | 'standardFor' | 'completed' | 'begin'> {
  readonly standard: Omit<Partial<State>, 'subtype'>
  readonly groups: readonly MemberGroup<State>[]
  /** Further members whose change does not redraw the annotation. */
  readonly invisible?: readonly (keyof State & string)[]
  /** Members that are visible, although most subtypes do not show them. */
  readonly visible?: readonly (keyof State & string)[]
  reconciled?(state: State, given: ReadonlySet<string>): State
  draw?(sheet: Sheet, state: State, drawing: Drawing): void
}

const invisibleByDefault: readonly string[] = ['nm', 'contents', 'subject', 'reply', ...flagNames]

/**
 * Defines the work of a subtype: `export const work = subtypeWork(Caret, { shape: 'box', standard: {…}, read, groups:
 * […], draw })`.
 */
export function subtypeWork<Contract extends SubtypeContract & { readonly name: string }>(
  { subtype, name }: Contract,
  { read, invisible = [], visible = [], groups, ...others }: Work<StateOf<Contract>>,
) {
  const hidden = [...invisibleByDefault, ...invisible].filter((member) => !visible.some((shown) => shown === member))
  const writing = { ...others, name, groups: [...commonGroups, ...groups], invisible: new Set(hidden) }
  return { subtype, read, writing }
}

export const readOnlyWork = <Contract extends SubtypeContract>(
  { subtype }: Contract,
  { read }: Reader<StateOf<Contract>>,
) => ({ subtype, read, writing: undefined })

/** Returns the work of a subtype that has the members of another one. */
export function workLike({ read, writing }: SubtypeWork, { subtype, name }: SubtypeContract): SubtypeWork {
  return {
    subtype,
    read: (source, common) => Object.assign(read(source, common), { subtype }),
    writing: writing && name !== null ? { ...writing, name } : undefined,
  }
}
