// The contract of a resource kind: its properties on every provider.
import type { Static, TSchema } from 'typebox'
import type { JsonObject } from '../value/tree.js'
import type { Project } from './declaration.js'
import type { KindRule } from './rule.js'

export interface Kind<Schema extends TSchema = TSchema> {
  /** Name of the kind, `agent`. */
  readonly kind: string
  /** Top-level key of agents.yaml, `agents`. */
  readonly section: string
  /** One line for help and documentation. */
  readonly summary: string
  readonly schema: Schema
  /** Words of the kind that have another spelling on every provider: alias to canonical, by field (`resource.type`). */
  readonly words?: Words
  /** Sessions are started from it. State also records what they use, because no provider shows a change of that. */
  readonly startsSessions?: true
  /** True if the file may name one declaration of this kind under `defaults.<kind>`. */
  readonly hasDefault?: true
  /** Returns every other declaration that this one names. The engine checks that each exists. */
  references(body: Static<Schema>, project: Project): readonly Reference[]
  /**
   * Returns the remote id when the declaration only refers to an existing object, which is verified and never changed.
   */
  external?(body: Static<Schema>): string | undefined
  /**
   * Returns objects outside the project that the body names by id among other things. The engine verifies them before
   * it sends their ids.
   */
  outside?(body: Static<Schema>): readonly { readonly kind: string; readonly id: string }[]
  readonly rules: readonly KindRule<Static<Schema>>[]
}

/** Synonyms of words: alias to canonical, by field (`channel.type`). */
export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Reference {
  /** Path of the name inside the body. */
  readonly at: readonly (string | number)[]
  readonly kind: string
  /** Logical name. */
  readonly name: string
  /**
   * `value`: an output of the target is sent, so its changes force updates. `order`: must exist first.
   * `session`: used only when a session starts; checked, never delays or blocks an apply.
   */
  readonly role: 'value' | 'order' | 'session'
}

/** Allows kinds with different schemas in one list. The engine calls each only with bodies its schema accepted. */
export function kind<Schema extends TSchema>(typed: Kind<Schema>): Kind {
  return typed as unknown as Kind
}

export type { JsonObject }
