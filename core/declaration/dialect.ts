// Keys of a provider's block that make it a dialect, and what they may say.
import type { Kind } from '../plugin/kind.js'
import type { Provider } from '../plugin/provider.js'
import type { RuleText } from '../plugin/rule.js'
import { hint } from '../value/suggestions.js'
import { problems } from './problems.js'
import { memberOf, type SchemaView, viewOf } from './schema-view.js'

/** Keys beside the configuration of the provider that the dialect is like. */
export const dialectKeys: Readonly<Record<string, SchemaView>> = {
  like: {
    type: 'string',
    'x-word': true,
    description: 'Built-in provider whose wire this one speaks: another service, or another account of the same.',
  },
  lacks: {
    type: 'object',
    description:
      'What this service lacks, with the reason: a kind (deployment), a field (agent.multiagent), or a word of a list (agent.tools.builtin.web_fetch). Declaring it is refused.',
    patternProperties: { '^.*$': { type: 'string', minLength: 1, 'x-word': true } },
  },
}

/** Text of the refusal of a field that a dialect lacks. */
export const lacksText: RuleText = { code: 'provider.lacks', ...problems['provider.lacks'] }

/** Says what is wrong with a key of `lacks`; undefined if the base provider has that kind and that field. */
export function unknownLack(
  what: string,
  { provider, kinds }: { readonly provider: Provider; readonly kinds: readonly Kind[] },
): string | undefined {
  const [name = '', ...path] = what.split('.')
  const had = new Set(provider.handlers.map(({ kind }) => kind))
  if (!had.has(name)) return `${provider.name} has no kind "${name}". ${hint(name, [...had])}`
  const kind = kinds.find((known) => known.kind === name)
  let schema = kind && viewOf(kind.schema)
  for (const key of path) {
    if (schema?.items) schema = schema.items
    if (schema?.type === 'string' && key === path.at(-1)) return undefined
    const member = memberIn(schema, key)
    if (!member) return `A ${name} has no field "${path.join('.')}". ${hint(key, namesIn(schema))}`
    schema = member
  }
  return undefined
}

const optionsOf = (schema: SchemaView | undefined): readonly SchemaView[] => schema?.anyOf ?? (schema ? [schema] : [])

function memberIn(schema: SchemaView | undefined, key: string): SchemaView | undefined {
  return optionsOf(schema)
    .map((option) => memberOf(option, key))
    .find((member) => member !== undefined)
}

function namesIn(schema: SchemaView | undefined): readonly string[] {
  return [...new Set(optionsOf(schema).flatMap(({ properties = {} }) => Object.keys(properties)))]
}
