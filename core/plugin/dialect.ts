// A dialect: another service, or another account, that speaks the wire of a built-in provider. It is a provider of its
// own, with its own name, addresses, state and credentials, and may lack kinds and fields that the built-in one has.
import type { TSchema } from 'typebox'
import { isObject, type Json } from '../value/tree.js'
import type { MissingKind } from './capability.js'
import type { NodePath } from './declaration.js'
import type { Provider } from './provider.js'
import type { ProviderRule, RuleText } from './rule.js'

export interface Dialect {
  /** Key of the file under `providers`. */
  readonly name: string
  /** Reasons by what is missing: a kind (`deployment`), or a field of one (`agent.multiagent`, `agent.tools.builtin.glob`). */
  readonly lacks: Readonly<Record<string, string>>
  /** Schema of the whole block of the dialect. */
  readonly configuration: TSchema
  /** Words the refusal of a field that the dialect lacks. */
  readonly refusal: RuleText
}

/** Returns the provider under the name of the dialect, without what the dialect lacks. */
export function dialectOf(base: Provider, { name, lacks, configuration, refusal }: Dialect): Provider {
  const entries = Object.entries(lacks).map(([what, reason]) => {
    const [kind = '', ...path] = what.split('.')
    return { what, kind, path, reason }
  })
  const missing: readonly MissingKind[] = entries.filter(({ path }) => path.length === 0)
  const isMissing = (kind: string) => missing.some((row) => row.kind === kind)
  const rules = entries
    .filter(({ path }) => path.length > 0)
    .map(
      ({ what, kind, path, reason }): ProviderRule => ({
        ...refusal,
        kind,
        phase: 'declaration',
        *check({ declaration: { body } }) {
          for (const at of placesOf(body, path)) yield { at, detail: `${name} lacks ${what}: ${reason}.` }
        },
      }),
    )
  return {
    ...base,
    name,
    aliases: [],
    configuration,
    title: `${name} (like ${base.name})`,
    handlers: base.handlers.filter(({ kind }) => !isMissing(kind)),
    missing: [...missing, ...(base.missing ?? []).filter(({ kind }) => !isMissing(kind))],
    rules: [...base.rules, ...rules],
  }
}

/** Yields where the body has the field. Every item of a list is looked at; a text of a list is found by its value. */
function* placesOf(value: Json, path: readonly string[], at: NodePath = []): Generator<NodePath> {
  const [key, ...rest] = path
  if (key === undefined) yield at
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (item === key && rest.length === 0) yield [...at, index]
      else yield* placesOf(item, path, [...at, index])
  } else if (isObject(value)) {
    const member = value[key]
    if (member !== undefined) yield* placesOf(member, rest, [...at, key])
  }
}
