// Reads `providers`: loads each provider the file names and checks its block against that provider's own schema.
import type { TSchema } from 'typebox'
import { isMap, isScalar } from 'yaml'
import type { ProviderDeclaration } from '../plugin/declaration.js'
import { dialectOf } from '../plugin/dialect.js'
import type { Kind } from '../plugin/kind.js'
import { type Builtins, builtinName, type LoadedPlugin, loadPlugin } from '../plugin/loader.js'
import type { PluginConsent } from '../plugin/plugin-consent.js'
import type { Provider } from '../plugin/provider.js'
import { collides, definedKinds } from '../plugin/registry.js'
import type { Disk } from '../ports/disk.js'
import { hint } from '../value/suggestions.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { withMembers } from '../value/with-members.js'
import { readChecked, type Stage } from './checked.js'
import { dialectKeys, lacksText, unknownLack } from './dialect.js'
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
  /** Canonical name of the built-in provider whose wire this one speaks. */
  readonly like?: string
  readonly isKnown: boolean
}

export interface LoadedProviders {
  readonly declarations: ReadonlyMap<string, ProviderDeclaration>
  readonly loaded: ReadonlyMap<string, Provider>
}

/** Key beside the configuration that a plugin defines. */
const pluginKeys: Readonly<Record<string, SchemaView>> = { plugin: { type: 'string', 'x-word': true } }

const nameForm = /^[a-z][a-z0-9_-]{0,63}$/

/** Reads the names of providers; reports misspelt and repeated ones. */
export function nameProviders(stage: Stage, entries: readonly Entry[], builtins: Builtins): readonly NamedProvider[] {
  const { collector } = stage
  const named = new Map<string, NamedProvider>()
  for (const entry of entries) {
    const plugin = textIn(stage, entry, 'plugin')
    const written = plugin === undefined ? textIn(stage, entry, 'like') : undefined
    const like = written?.text === undefined ? undefined : builtinName(builtins, written.text)
    const name = (plugin ?? written) === undefined ? builtinName(builtins, entry.key) : entry.key
    const range = rangeOf(entry.keyNode)
    if (name === undefined) {
      const detail = `There is no built-in provider "${entry.key}". ${hint(entry.key, Object.keys(builtins))}`
      collector.add('provider.unknown', range, { detail })
    } else if (written !== undefined && like === undefined) {
      const detail = `There is no built-in provider "${written.text}" to be like. ${hint(written.text, Object.keys(builtins))}`
      collector.add('provider.unknown', rangeOf(written.node), { detail })
    } else if (written !== undefined && builtinName(builtins, name) !== undefined) {
      collector.add('provider.invalid-name', range, {
        detail: `"${name}" is the name of a built-in provider, so that one that is like ${like} needs another.`,
        fix: 'Choose a name of your own.',
      })
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
      ...(plugin === undefined ? {} : { plugin: plugin.text }),
      ...(like === undefined ? {} : { like }),
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
      const { name, plugin, like } = one
      const own = like === undefined ? (plugin === undefined ? {} : pluginKeys) : dialectKeys
      const schema = withKeys(found.provider.configuration, own)
      const { configuration, lacks } = readConfiguration(stage, one, { provider: found.provider, schema, own }, request)
      reportSameAccount(stage, one, configuration, declarations)
      const dialect = { name, configuration: schema, lacks, refusal: lacksText }
      loaded.set(name, like === undefined ? found.provider : dialectOf(found.provider, dialect))
      declarations.set(name, {
        name,
        configuration,
        ...(plugin === undefined ? {} : { plugin }),
        ...(like === undefined ? {} : { like }),
      })
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

/** Reports a block that says the same as another one, whose objects both would then manage. */
function reportSameAccount(
  stage: Stage,
  one: NamedProvider,
  configuration: JsonObject,
  earlier: ReadonlyMap<string, ProviderDeclaration>,
): void {
  const same = [...earlier.values()].find(
    ({ name, like = name, configuration: other }) =>
      like === one.like && JSON.stringify(other) === JSON.stringify(configuration),
  )
  if (same === undefined) return
  const detail = `${one.name} and ${same.name} have the same address and credentials, so both would manage the same objects.`
  stage.collector.add('provider.same-account', rangeOf(one.entry.keyNode), { detail })
}

async function load(
  one: NamedProvider,
  { builtins, disk, folder, pluginConsent: consent }: ProvidersRequest,
): Promise<LoadedPlugin | undefined> {
  if (one.plugin !== undefined) return loadPlugin({ disk, specifier: one.plugin, folder, consent })
  const builtin = one.isKnown ? builtins[one.like ?? one.name] : undefined
  return builtin && { type: 'provider', provider: await builtin.load() }
}

/** Returns a text of a provider's block, before the block is read. */
function textIn(
  { nodes }: Stage,
  { value }: Entry,
  key: string,
): { readonly text: string; readonly node: Parameters<typeof rangeOf>[0] } | undefined {
  const block = value && nodes.resolve(value)
  const node = isMap(block) ? nodes.entries(block).find((entry) => entry.key === key)?.value : undefined
  const target = node && nodes.resolve(node)
  if (!isScalar(target) || typeof target.value !== 'string' || target.value === '') return undefined
  return { text: target.value, node: target }
}

function withKeys(configuration: TSchema, own: Readonly<Record<string, SchemaView>>): SchemaView {
  const schema = viewOf(configuration)
  return withMembers(schema, { properties: { ...schema.properties, ...own } })
}

interface Block {
  readonly provider: Provider
  readonly schema: SchemaView
  /** Keys that are not part of the provider's configuration. */
  readonly own: Readonly<Record<string, SchemaView>>
}

function readConfiguration(
  stage: Stage,
  one: NamedProvider,
  { provider, schema, own }: Block,
  { isEmulated, kinds }: ProvidersRequest,
): { readonly configuration: JsonObject; readonly lacks: Readonly<Record<string, string>> } {
  const { value } = readChecked(stage, one.entry, { schema, isLate: true, hasStandInValues: isEmulated })
  if (!isObject(value)) return { configuration: {}, lacks: {} }
  const isOwn = (key: string) => Object.hasOwn(own, key)
  const configuration = Object.fromEntries(Object.entries(value).filter(([key]) => !isOwn(key)))
  const lacks = Object.entries(isOwn('lacks') && isObject(value['lacks']) ? value['lacks'] : {})
  for (const [what] of lacks) {
    const detail = unknownLack(what, { provider, kinds })
    if (detail !== undefined)
      stage.collector.add('provider.lacks-unknown', stage.nodes.locate(one.entry, ['lacks', what], true), { detail })
  }
  return { configuration, lacks: Object.fromEntries(lacks.map(([what, reason]) => [what, String(reason)])) }
}
