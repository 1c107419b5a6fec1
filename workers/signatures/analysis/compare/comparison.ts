// Two revisions side by side: the state that all walks share. A walk visits the later revision and knows the earlier
// value of every place; an object that did not change is read once.
import { type FieldLock, isLockedBy } from '../../../contract/signatures/field-lock.js'
import { includesLevel, type ProtectionLevel } from '../../../contract/signatures/protection.js'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../../strict-reader/strict-document.js'
import type { StrictReference, StrictValue } from '../../../strict-reader/values.js'
import { ofKind } from '../../../strict-reader/values-of.js'
import { Findings } from '../outcome/findings.js'

import type { Role } from '../policy/policy-rule.js'
import { type RuleName, rules } from '../policy/rules.js'
import type { ChangedObject } from './changed-objects.js'
import type { Reach } from './reach.js'
import { isSameValue } from './same-value.js'
import { type Place, referenceKey, type Slot } from './slot.js'

/** Restraints by which the changes are judged. */
export interface Restraints {
  readonly level: ProtectionLevel
  readonly isCertified: boolean
  /** The earlier revision has a signature already. */
  readonly isSigned: boolean
  readonly locks: readonly FieldLock[]
}

/** A value whose references are searched for changed objects, after all objects with a role are known. */
export interface LooseEnd {
  readonly value: StrictValue
  readonly holder: number
  /** Use of the value. `content`: something that is drawn consists of it. */
  readonly realm: 'content' | 'other'
  /** Rule by which objects found there may have changed; undefined = they may not. */
  readonly rule?: RuleName
  /** True if only new objects may be found there. */
  readonly isNew?: true
}

export class Comparison {
  readonly findings = new Findings()
  /** Roles under which objects were visited. */
  readonly roles = new Map<number, Set<Role>>()
  readonly looseEnds: LooseEnd[] = []
  /**
   * Nodes of the field tree in the later revision, then widgets that a rule permits to be on a page for the first time.
   */
  readonly fields = new Set<number>()
  readonly newWidgets = new Set<number>()
  /** Signature dictionaries that a rule permits. */
  readonly newSignatures = new Set<number>()

  readonly #visits = new Map<number, number>()

  constructor(
    readonly document: StrictDocument,
    readonly before: StrictRevision,
    readonly after: StrictRevision,
    readonly changes: ReadonlyMap<number, ChangedObject>,
    readonly restraints: Restraints,
    /** Undefined if nothing changed. */
    readonly reach: Reach | undefined,
  ) {}

  /** True if both are references to the same object, and neither it nor anything that a walk finds below it changed. */
  isIdle(before: StrictValue | undefined, after: StrictValue): boolean {
    const reference = ofKind(after, 'reference')
    if (reference === undefined || (before !== after && referenceKey(before) !== referenceKey(after))) return false
    return this.reach === undefined || this.reach.isIdle(reference.number)
  }

  /** Counts the paths of the field tree that lead to an object. */
  countVisit(number: number): number {
    const count = (this.#visits.get(number) ?? 0) + 1
    this.#visits.set(number, count)
    return count
  }

  isSame(slot: Slot): boolean {
    return slot.before === slot.after || isSameValue(this.document, slot.before, slot.after)
  }

  isLocked(fieldName: string): boolean {
    return this.restraints.locks.some((lock) => isLockedBy(lock, fieldName))
  }

  permits(level: ProtectionLevel): boolean {
    return includesLevel(this.restraints.level, level)
  }

  /** Returns the slot with references followed on both sides; its place is that of the later value. */
  follow(slot: Slot): Slot {
    let { before, after, place } = slot
    for (let hops = 0; hops < 32; hops++) {
      const reference = ofKind(after, 'reference')
      if (reference === undefined) {
        const old = before === after ? after : this.before.resolve(before)
        return this.#arrived({ before: old ?? undefined, after: after ?? undefined, place })
      }
      this.checkEdge(place.holder, reference)
      const target = this.after.object(reference) ?? undefined
      const isSameObject = referenceKey(before) === referenceKey(reference)
      if (isSameObject && !this.changes.has(reference.number)) before = target
      else before = (isSameObject ? this.before.object(reference) : this.before.resolve(before)) ?? undefined
      after = target
      place = { holder: reference.number, path: '' }
    }
    throw new NotStrict('References form a circle')
  }

  /**
   * Returns the slot. Permits a new object in it that equals the former one: it was written again under a new number.
   */
  #arrived(slot: Slot): Slot {
    const { holder, path } = slot.place
    const isNew = path === '' && this.changes.get(holder)?.kind === 'added'
    if (isNew && slot.before !== undefined && this.isSame(slot)) this.allow('followed-entry', slot.place)
    return slot
  }

  /**
   * Refuses references of an unchanged object whose target did not exist before, and references that readers disagree
   * on.
   */
  checkEdge(holder: number, { number, generation }: StrictReference): void {
    const current = this.after.generationOf(number)
    const isNew = holder === 0 || this.changes.has(holder) || this.changes.has(number)
    if (isNew && current !== undefined && current !== generation) {
      this.findings.refuse('wrong-generation', { holder: number, path: '' }, `Object ${holder} refers to it`)
    }
    if (holder === 0 || this.changes.has(holder)) return
    if (this.changes.get(number)?.kind !== 'added' || this.after.generationOf(number) !== generation) return
    this.findings.refuse('dangling-reference', { holder: number, path: '' }, `Object ${holder} refers to it`)
  }

  /** Notes a role; returns false if the object was visited under it before. */
  enter(place: Place, role: Role): boolean {
    if (place.path !== '' || place.holder === 0) return true
    const roles = this.roles.get(place.holder) ?? new Set()
    this.roles.set(place.holder, roles)
    if (roles.has(role)) return false
    roles.add(role)
    return true
  }

  /**
   * Permits a change by a rule, unless its level is not in force or there is a problem. Returns whether it did. `note`: what is
   * remarkable about a permitted change.
   */
  allow(rule: RuleName, place: Place, problem?: string, note?: string): boolean {
    const { level } = rules.find((row) => row.rule === rule) ?? { level: 'annotate' }
    const refusal = this.permits(level) ? problem : `Permitted from level ${level} on`
    if (refusal === undefined) this.findings.permit(rule, place, note)
    else this.findings.refuse(rule, place, refusal)
    return refusal === undefined
  }

  /** Runs a part of a walk; what cannot be read there is a finding. */
  attempt(place: Place, walk: () => void): void {
    try {
      walk()
    } catch (error) {
      if (!(error instanceof NotStrict)) throw error
      this.findings.leaveOpen('unreadable-object', place, error.message)
    }
  }
}
