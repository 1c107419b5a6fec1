// The contract of a resource kind: the properties that it has on every provider.
import type { Static, TSchema } from 'typebox'
import type { JsonObject } from '../value/tree.js'
import type { Project } from './declaration.js'
import type { KindRule } from './rule.js'

export interface Kind<Schema extends TSchema = TSchema> {
  /** Name of the kind, `agent`. */
  readonly kind: string
  /** Top-level key of agents.yaml, `agents`. */
  readonly section: string
  /** Description of the kind in one line, for help and documentation. */
  readonly summary: string
  readonly schema: Schema
  /** Synonyms of values that are the same on every provider: alias to canonical value, by field (`resource.type`). */
  readonly words?: Words
  /**
   * True if sessions are started from the kind. State then also records what they use, because no provider shows a
   * change of that.
   */
  readonly startsSessions?: true
  /**
   * Content that others put into the object and no declaration has, in a few words: a plan says that it is lost with it.
   */
  readonly holds?: string
  /**
   * Returns settings that only sessions have, each as a word and its value (`budget`, `25 USD`). State records them as it
   * does what sessions use, so no value contains a secret.
   */
  sessionSettings?(body: Static<Schema>): readonly { readonly kind: string; readonly name: string }[]
  /** True if the file may name one declaration of this kind under `defaults.<kind>`. */
  readonly hasDefault?: true
  /** Returns every other declaration that this one names. The engine checks that each exists. */
  references(body: Static<Schema>, project: Project): readonly Reference[]
  /**
   * Returns the remote id if the declaration only refers to an existing object, which is verified and never changed.
   */
  external?(body: Static<Schema>): string | undefined
  /**
   * Returns objects outside the project whose ids the body contains. The engine verifies them before it sends the ids.
   */
  outside?(body: Static<Schema>): readonly { readonly kind: string; readonly id: string }[]
  readonly rules: readonly KindRule<Static<Schema>>[]
}

/** Synonyms of values: alias to canonical value, by field (`channel.type`). */
export type Words = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Reference {
  /** Path of the name inside the body. */
  readonly at: readonly (string | number)[]
  readonly kind: string
  /** Logical name. */
  readonly name: string
  /**
   * Role of the reference. `value`: an output of the target is sent, so its changes force updates. `order`: the target
   * must exist first. `session`: it is used only when a session starts; it is checked, but never delays or blocks an
   * apply.
   */
  readonly role: 'value' | 'order' | 'session'
}

/** Allows kinds with different schemas in one list. The engine calls each only with bodies its schema accepted. */
export function kind<Schema extends TSchema>(typed: Kind<Schema>): Kind {
  return typed as unknown as Kind
}

export type { JsonObject }
