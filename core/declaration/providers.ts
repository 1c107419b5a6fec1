// Reads `providers`: loads each provider the file names and checks its block against that provider's own schema.
import { isMap, isScalar } from 'yaml'
import type { ProviderDeclaration } from '../plugin/declaration.js'
import type { Kind } from '../plugin/kind.js'
import { type Builtins, builtinName, type LoadedPlugin, loadPlugin } from '../plugin/loader.js'
import type { PluginConsent } from '../plugin/plugin-consent.js'
import type { Provider } from '../plugin/provider.js'
import { collides, definedKinds } from '../plugin/registry.js'
import type { Disk } from '../ports/disk.js'
import { hint } from '../value/suggestions.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { readChecked, type Stage } from './checked.js'
import { type Entry, rangeOf } from './nodes.js'
import type { ProblemCode } from './problems.js'
import { type SchemaView, viewOf } from './schema-view.js'

export interface ProvidersRequest {
  readonly disk: Disk
  /** Folder of agents.yaml; plugins are resolved from there. */
  readonly folder: string
  readonly builtins: Builtins
  readonly pluginConsent?: PluginConsent | undefined
  /** Kinds that exist before any provider is loaded. */
  readonly kinds: readonly Kind[]
  /** True if unset variables have the value `emulator`. */
  readonly isEmulated: boolean
}

/** Key of `providers`, before any plugin is loaded. */
export interface NamedProvider {
  /** Canonical name, or the key of a third-party provider. */
  readonly name: string
  readonly entry: Entry
  readonly plugin?: string
  readonly isKnown: boolean
}

export interface LoadedProviders {
  readonly declarations: ReadonlyMap<string, ProviderDeclaration>
  readonly loaded: ReadonlyMap<string, Provider>
}

const nameForm = /^[a-z][a-z0-9_-]{0,63}$/

/** Reads the names of providers; reports misspelt and repeated ones. */
export function nameProviders(stage: Stage, entries: readonly Entry[], builtins: Builtins): readonly NamedProvider[] {
  const { collector } = stage
  const named = new Map<string, NamedProvider>()
  for (const entry of entries) {
    const plugin = pluginOf(stage, entry)
    const name = plugin === undefined ? builtinName(builtins, entry.key) : entry.key
    const range = rangeOf(entry.keyNode)
    if (name === undefined) {
      const detail = `There is no built-in provider "${entry.key}". ${hint(entry.key, Object.keys(builtins))}`
      collector.add('provider.unknown', range, { detail })
    } else if (!nameForm.test(name) || name === 'all') {
      collector.add('provider.invalid-name', range, {
        detail: `"${name}" would not work in addresses such as ${name}.agent.helper.`,
      })
    } else if (named.has(name)) {
      collector.add('declaration.duplicate-key', range, {
        detail: `"${entry.key}" and "${named.get(name)?.entry.key}" are the same provider.`,
      })
      continue
    }
    named.set(name ?? entry.key, {
      name: name ?? entry.key,
      entry,
      isKnown: name !== undefined,
      ...(plugin === undefined ? {} : { plugin }),
    })
  }
  return [...named.values()]
}

export async function loadProviders(
  stage: Stage,
  named: readonly NamedProvider[],
  request: ProvidersRequest,
): Promise<LoadedProviders> {
  const loading = named.map((one) => load(one, request))
  const declarations = new Map<string, ProviderDeclaration>()
  const loaded = new Map<string, Provider>()
  for (const [index, one] of named.entries()) {
    const found = await loading[index]
    if (found === undefined) continue
    if (found.type === 'provider') {
      reportCollisions(stage, one, found.provider, request.kinds)
      loaded.set(one.name, found.provider)
      const configuration = readConfiguration(stage, one, viewOf(found.provider.configuration), request)
      const { name, plugin } = one
      declarations.set(name, { name, configuration, ...(plugin === undefined ? {} : { plugin }) })
    } else {
      stage.collector.add(pluginProblems[found.type], rangeOf(one.entry.keyNode), { detail: found.detail })
    }
  }
  return { declarations, loaded }
}

const pluginProblems: Readonly<Record<Exclude<LoadedPlugin['type'], 'provider'>, ProblemCode>> = {
  missing: 'provider.plugin-missing',
  refused: 'provider.plugin-not-allowed',
  failed: 'provider.plugin-failed',
  shape: 'provider.plugin-shape',
}

/** Reports kinds of a plugin that have the name or the section of another kind. */
function reportCollisions(stage: Stage, one: NamedProvider, provider: Provider, kinds: readonly Kind[]): void {
  for (const kind of definedKinds([provider])) {
    if (!collides(kind, kinds)) continue
    const detail = `What ${one.plugin ?? one.name} exports defines the kind ${kind.kind} of the section ${kind.section}, and there is one already.`
    stage.collector.add('provider.plugin-shape', rangeOf(one.entry.keyNode), { detail })
  }
}

async function load(
  one: NamedProvider,
  { builtins, disk, folder, pluginConsent: consent }: ProvidersRequest,
): Promise<LoadedPlugin | undefined> {
  if (one.plugin !== undefined) return loadPlugin({ disk, specifier: one.plugin, folder, consent })
  const builtin = one.isKnown ? builtins[one.name] : undefined
  return builtin && { type: 'provider', provider: await builtin.load() }
}

function pluginOf({ nodes }: Stage, { value }: Entry): string | undefined {
  const block = value && nodes.resolve(value)
  const node = isMap(block) ? nodes.entries(block).find(({ key }) => key === 'plugin')?.value : undefined
  const target = node && nodes.resolve(node)
  return isScalar(target) && typeof target.value === 'string' && target.value !== '' ? target.value : undefined
}

function readConfiguration(
  stage: Stage,
  one: NamedProvider,
  schema: SchemaView,
  { isEmulated }: ProvidersRequest,
): JsonObject {
  const { value } = readChecked(stage, one.entry, {
    schema: one.plugin === undefined ? schema : withPlugin(schema),
    isLate: true,
    hasStandInValues: isEmulated,
  })
  if (!isObject(value)) return {}
  const { plugin: _, ...configuration } = value
  return one.plugin === undefined ? value : configuration
}

function withPlugin(schema: SchemaView): SchemaView {
  return { ...schema, properties: { ...schema.properties, plugin: { type: 'string', 'x-word': true } } }
}
