// Rules: tables of checks of plugins. The engine runs all of them and collects every finding.

import type { Severity } from '../diagnostic.js'
import type { Row } from '../state/row.js'
import type { JsonObject } from '../value/tree.js'
import type { Declaration, Finding, Project } from './declaration.js'

export interface RuleText {
  /** Stable code, `agent.roster-too-large`. */
  readonly code: string
  readonly severity: Severity
  /** Clause of the specification that the rule enforces, `7.4` or `2.15 rule 4` of the agent configuration. */
  readonly spec?: string
  /** One short sentence without user text. */
  readonly summary: string
  /** The fix, in the imperative. */
  readonly fix: string
}

/** A rule of a kind for all providers. It reads the whole declared project, and nothing remote. */
export interface KindRule<Body = JsonObject> extends RuleText {
  check(declaration: Declaration<Body>, project: Project): Iterable<Finding>
}

/**
 * A rule of a provider. The phase decides what it may read: `declaration` the project, `state` also the row of the
 * resource; `session` rules run in session commands before any call.
 */
export interface ProviderRule<Body = JsonObject> extends RuleText {
  readonly kind: string
  readonly phase: 'declaration' | 'state' | 'session'
  check(subject: RuleSubject<Body>): Iterable<Finding>
}

export interface RuleSubject<Body = JsonObject> {
  readonly declaration: Declaration<Body>
  readonly project: Project
  /** Canonical name of the provider the rule belongs to. */
  readonly provider: string
  /** API that the resource was placed in. */
  readonly api: string
  /** Row of the resource; only in phase `state`, if there is one. */
  readonly row?: Row
}

/** Allows rules over different types of bodies in one list; the engine calls each only with bodies of its kind. */
export function rule<Body>(typed: ProviderRule<Body>): ProviderRule {
  return typed as unknown as ProviderRule
}
