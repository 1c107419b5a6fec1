// Target providers of a declaration: its pin, else `defaults.provider`, else the only provider.
import { Type } from 'typebox'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { Kind } from '../plugin/kind.js'
import { Exact, NameOf, ProviderName } from '../plugin/schema.js'
import { hasPlaceholder, placeholdersIn } from '../value/placeholder.js'
import { hint, listed } from '../value/suggestions.js'
import { isObject, type Json, type JsonObject } from '../value/tree.js'
import { readChecked, type Stage } from './checked.js'
import { type Entry, rangeOf } from './nodes.js'
import type { NamedProvider } from './providers.js'
import { viewOf } from './schema-view.js'

/** Value of `provider` that means all declared providers. */
const everyProvider = 'all'

export interface Defaults {
  readonly declared: Project['defaults']
  /** Default targets of declarations without a pin; empty if the file names none. */
  readonly targets: readonly string[]
}

export function readDefaults(
  stage: Stage,
  entry: Entry | undefined,
  known: { readonly kinds: Iterable<Kind>; readonly named: readonly NamedProvider[] },
): Defaults {
  const names = known.named.map(({ name }) => name)
  const only = names.length === 1 ? names : []
  if (!entry) return { declared: {}, targets: only }
  const { value } = readChecked(stage, entry, { schema: viewOf(defaultsSchema(known.kinds)) })
  const declared = textsOf(value)
  const { provider } = declared
  if (provider === undefined) return { declared, targets: only }
  if (provider === everyProvider) return { declared, targets: names }
  return { declared, targets: isDeclared(stage, entry, provider, names) ? [provider] : [] }
}

/**
 * Returns the targets of one declaration; undefined if it is pinned to a provider that does not exist, which is
 * reported.
 */
export function targetsOf(
  stage: Stage,
  { entry, body }: { readonly entry: Entry; readonly body: JsonObject },
  known: { readonly defaults: Defaults; readonly named: readonly NamedProvider[] },
): Declaration['providers'] | undefined {
  const pin = body['provider']
  if (typeof pin !== 'string') return { names: known.defaults.targets, by: 'default' }
  const names = known.named.map(({ name }) => name)
  return isDeclared(stage, entry, pin, names) ? { names: [pin], by: 'pin' } : undefined
}

/** Reports missing targets once, however many declarations are affected: it is one omission. */
export function checkTargets(
  { collector }: Stage,
  known: {
    readonly drafts: readonly UntargetedDeclaration[]
    readonly defaults: Defaults
    readonly named: readonly NamedProvider[]
  },
): void {
  const { defaults, named, drafts } = known
  const isKnown = defaults.declared.provider !== undefined || defaults.targets.length > 0
  // A misspelled provider is already reported, and once corrected it may be the only one.
  if (isKnown || named.length === 0 || named.some((one) => !one.isKnown)) return
  const [first, ...others] = drafts.filter(({ targets }) => targets.by === 'default')
  if (!first) return
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  const names = listed(named.map(({ name }) => name))
  const detail = `${first.address}${more} could go to ${names}, and neither a pin nor defaults.provider says where.`
  collector.add('provider.no-target', rangeOf(first.entry.keyNode), { detail })
}

interface UntargetedDeclaration {
  readonly address: string
  readonly entry: Entry
  readonly targets: Declaration['providers']
}

function isDeclared(
  { collector, nodes, unset }: Stage,
  entry: Entry,
  name: string,
  declared: readonly string[],
): boolean {
  if (declared.includes(name)) return true
  const range = nodes.locate(entry, ['provider'])
  if (hasPlaceholder(name)) {
    const [variable] = placeholdersIn(name)
    const known = variable?.type === 'variable' ? variable.name : undefined
    if (known !== undefined) unset.settle(known)
    const detail = `${known ?? 'The variable'} decides which provider is meant, and is neither in the environment nor in a .env file.`
    collector.add('variable.unset-structural', range, { detail })
  } else if (name === everyProvider) {
    collector.add('provider.undeclared', range, {
      detail: 'Only defaults.provider can be all; a declaration is pinned to one provider.',
      fix: 'Remove the pin, or name one provider.',
    })
  } else {
    const detail = `There is no providers.${name}. ${hint(name, [...declared])}`
    collector.add('provider.undeclared', range, { detail })
  }
  return false
}

export function defaultsSchema(kinds: Iterable<Kind>) {
  const named = [...kinds].filter(({ hasDefault }) => hasDefault)
  return Exact(
    {
      provider: Type.Optional(
        ProviderName({
          minLength: 1,
          description: 'Where declarations without a pin go; all is every declared provider.',
        }),
      ),
      ...Object.fromEntries(
        named.map(({ kind }) => [
          kind,
          Type.Optional(NameOf(kind, { description: `The ${kind} used where none is named.` })),
        ]),
      ),
    },
    { description: 'What holds where a declaration says nothing.' },
  )
}

function textsOf(value: Json): Project['defaults'] {
  if (!isObject(value)) return {}
  return Object.fromEntries(
    Object.entries(value).filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}
