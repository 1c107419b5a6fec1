// Searches everything without a role of its own for references to changed objects: page content and its resources,
// actions, outlines, names, structure. An object that may change as one thing may be used as another, too.

import type { StrictReference, StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, ofKind } from '../../../strict-reader/values-of.js'
import { analysisLimits } from '../analysis-limits.js'
import type { Role } from '../policy/policy-rule.js'
import type { ChangedObject } from './changed-objects.js'
import type { Comparison, LooseEnd } from './comparison.js'
import type { Numbers, Reach } from './reach.js'

export function searchLooseEnds(comparison: Comparison, reach: Reach): void {
  const search = new Search(comparison, reach)
  // Values that permit no change come first, because objects that a search has visited need not be searched again.
  for (const end of comparison.looseEnds) if (end.rule === undefined && end.realm === 'content') search.run(end)
  for (const end of comparison.looseEnds) if (end.rule === undefined && end.realm === 'other') search.run(end)
  for (const end of comparison.looseEnds) if (end.rule !== undefined) search.run(end)
}

/** Roles of objects that others refer to without drawing them. */
const referredTo: ReadonlySet<Role> = new Set(['page', 'field', 'widget', 'signature-field', 'annotation'])

class Search {
  readonly #comparison: Comparison
  readonly #seen = { content: new Set<number>(), other: new Set<number>(), permitted: new Set<number>() }
  /**
   * Unchanged objects from which a search reaches a target: any changed object, or one that the realm `other` may not
   * lead to.
   */
  readonly #leading: Readonly<Record<'any' | 'other', Numbers>>
  #searched = 0

  constructor(comparison: Comparison, reach: Reach) {
    this.#comparison = comparison
    const isStop = (number: number) => comparison.roles.has(number)
    this.#leading = {
      any: reach.leadingTo(() => true, isStop),
      other: reach.leadingTo((change) => !isStop(change.number) || !this.#isReferredTo(change), isStop),
    }
  }

  run(end: LooseEnd): void {
    const open: LooseEnd[] = [end]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const from = next
      for (const reference of referencesIn(from.value)) {
        this.#comparison.attempt({ holder: reference.number, path: '' }, () => {
          const value = this.#arrive(reference, from)
          if (value !== undefined) open.push({ ...from, value, holder: reference.number })
        })
      }
    }
  }

  /** Judges a reference; returns the value to search next. */
  #arrive(reference: StrictReference, from: LooseEnd): StrictValue | undefined {
    const { changes, findings, roles, after, before } = this.#comparison
    const { number, generation } = reference
    const change = changes.get(number)
    if (change !== undefined || changes.has(from.holder)) this.#comparison.checkEdge(from.holder, reference)
    if (after.generationOf(number) !== generation && before.generationOf(number) !== generation) return undefined
    if (change !== undefined) {
      if (roles.has(number)) {
        if (from.rule === undefined && !this.#isBackReference(number, from)) this.#refuse(number, from)
        return undefined
      }
      if (from.rule === undefined || (from.isNew && change.kind !== 'added')) {
        this.#refuse(number, from)
        return undefined
      }
      findings.permit(from.rule, { holder: number, path: '' })
    } else if (roles.has(number) || !this.#leads(number, from)) return undefined
    if (!this.#isFirst(number, from)) return undefined
    this.#searched += 1
    if (this.#searched > analysisLimits.objectsMax) {
      findings.leaveOpen('too-many-objects', { holder: 0, path: '' })
      return undefined
    }
    return change === undefined ? after.object(reference) : change.after
  }

  /**
   * True for a reference to a page, a field or an annotation, which everything refers to (`/Pg`, `/Obj`, destinations).
   * The few entries that may change in them have no meaning for the referring object. A drawing must not use them:
   * `/CA` would be the opacity of something else.
   */
  #isBackReference(number: number, { realm }: LooseEnd): boolean {
    const change = this.#comparison.changes.get(number)
    return realm === 'other' && change !== undefined && this.#isReferredTo(change)
  }

  #isReferredTo(change: ChangedObject): boolean {
    const roles = this.#comparison.roles.get(change.number) ?? []
    return isDictionary(change) && [...roles].every((role) => referredTo.has(role))
  }

  #leads(number: number, { realm, rule }: LooseEnd): boolean {
    return this.#leading[realm === 'other' && rule === undefined ? 'other' : 'any'].has(number)
  }

  #refuse(number: number, { realm, holder }: LooseEnd): void {
    const rule = realm === 'content' ? 'page-content' : 'other-object'
    this.#comparison.findings.refuse(rule, { holder: number, path: '' }, `Object ${holder} refers to it`)
  }

  #isFirst(number: number, { rule, realm }: LooseEnd): boolean {
    const { content, other, permitted } = this.#seen
    if (content.has(number)) return false
    if (realm === 'other' && other.has(number) && rule === undefined) return false
    if (rule !== undefined && (permitted.has(number) || other.has(number))) return false
    ;(rule !== undefined ? permitted : realm === 'content' ? content : other).add(number)
    return true
  }
}

/** True if an object was a dictionary and still is one. */
const isDictionary = ({ before, after }: ChangedObject): boolean =>
  ofKind(before, 'dictionary') !== undefined && ofKind(after, 'dictionary') !== undefined

/** Yields the references in a value, including those in nested arrays and dictionaries. */
function* referencesIn(value: StrictValue): Generator<StrictReference> {
  const open: StrictValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== 'object') continue
    if (next.kind === 'reference') yield next
    else if (next.kind === 'array') for (const item of next.items) open.push(item)
    else for (const entry of dictionaryOf(next)?.entries.values() ?? []) open.push(entry)
  }
}
