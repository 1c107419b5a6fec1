// Loads the providers that a file names, built-in ones by name and third-party ones by package or path, and nothing
// else. Third-party ones are loaded only with consent, because loading runs their code.
import { createRequire, isBuiltin } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Disk, hasCode } from '../ports/disk.js'
import type { ConsentAnswer, PluginConsent } from './plugin-consent.js'
import { ContentTooLarge, pluginContent } from './plugin-content.js'
import type { Provider } from './provider.js'

export interface Builtin {
  /** Other names that agents.yaml may use; the same as `Provider.aliases`, known before the provider is loaded. */
  readonly aliases: readonly string[]
  load(): Promise<Provider>
}

/** Built-in providers by canonical name. */
export type Builtins = Readonly<Record<string, Builtin>>

/**
 * Returns the canonical name for a name or alias of a built-in provider; the specification writes aliases in capitals.
 */
export function builtinName(builtins: Builtins, name: string): string | undefined {
  if (Object.hasOwn(builtins, name)) return name
  return Object.entries(builtins).find(([, { aliases }]) => aliases.includes(name.toLowerCase()))?.[0]
}

export type LoadedPlugin =
  | { readonly type: 'provider'; readonly provider: Provider }
  | { readonly type: 'missing' | 'refused' | 'failed' | 'shape'; readonly detail: string }

export interface PluginRequest {
  readonly disk: Disk
  /** A package, resolved from the folder, or a path that begins with `.` or `/`. */
  readonly specifier: string
  /** Folder of agents.yaml. */
  readonly folder: string
  /** Default: nobody allowed anything. */
  readonly consent?: PluginConsent | undefined
}

/** Loads a plugin that was allowed. */
export async function loadPlugin({ disk, specifier, folder, consent }: PluginRequest): Promise<LoadedPlugin> {
  let entry: string
  const missing = {
    type: 'missing',
    detail: `${specifier} is found neither as a package nor as a path in ${folder}.`,
  } as const
  // A module of Node is no plugin.
  if (isBuiltin(specifier)) return missing
  try {
    entry = await locate(disk, specifier, folder)
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ENOENT', 'ENOTDIR')) throw error
    return missing
  }
  const refused = await refusalOf({ disk, specifier, folder, entry, consent })
  if (refused !== undefined) return { type: 'refused', detail: refused }
  const url = pathToFileURL(entry).href
  let module: Readonly<Record<string, unknown>>
  try {
    module = await import(url)
  } catch (error) {
    return { type: 'failed', detail: `${specifier}: ${error instanceof Error ? error.message : String(error)}.` }
  }
  const found = module['default'] ?? module['provider']
  const faults = faultsOf(found)
  if (isProvider(found, faults)) return { type: 'provider', provider: found }
  return { type: 'shape', detail: `What ${specifier} exports ${faults.join(', and ')}.` }
}

/** Says why the code must not run; undefined if it may. */
async function refusalOf(request: PluginRequest & { readonly entry: string }): Promise<string | undefined> {
  const { disk, specifier, folder, entry, consent } = request
  if (consent === undefined) return `${specifier} is not loaded, because this program allows no plugins.`
  const packageName = isPath(specifier) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]
  try {
    const content = await pluginContent({ disk, entry, packageName, folder, program: consent.program })
    const answer = await consent.answerFor({ specifier, folder: await disk.realPath(folder), content })
    if (answer === 'allowed') return undefined
    const count = content.files.length === 1 ? 'one file' : `${content.files.length} files`
    return `${specifier} ${refusals[answer]} (${count}, ${content.sha256}).`
  } catch (error) {
    if (!(error instanceof ContentTooLarge)) throw error
    return `${specifier} cannot be checked: ${error.message}.`
  }
}

const refusals: Readonly<Record<Exclude<ConsentAnswer, 'allowed'>, string>> = {
  unknown: 'would run code, and nobody has allowed that in this folder',
  changed: 'has changed since it was allowed',
}

const isPath = (specifier: string): boolean => /^(\.{0,2}\/|[A-Za-z]:[\\/])/.test(specifier)

async function locate(disk: Disk, specifier: string, folder: string): Promise<string> {
  const require = createRequire(join(folder, 'agents.yaml'))
  if (isPath(specifier)) return require.resolve(resolve(folder, specifier))
  try {
    return require.resolve(specifier)
  } catch (error) {
    if (!hasCode(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED')) throw error
    return locateImportOnly(disk, {
      name: specifier,
      folders: require.resolve.paths(specifier) ?? [],
      otherwise: error,
    })
  }
}

/** Finds packages that can be imported but not required, which `require.resolve` does not find. */
async function locateImportOnly(
  disk: Disk,
  wanted: { readonly name: string; readonly folders: readonly string[]; readonly otherwise: unknown },
): Promise<string> {
  const { name, folders, otherwise } = wanted
  for (const folder of folders) {
    try {
      const manifest: unknown = JSON.parse(
        new TextDecoder().decode(await disk.read(join(folder, name, 'package.json'))),
      )
      const target = exportTarget(member(manifest, 'exports'))
      if (target !== undefined) return join(folder, name, target)
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  }
  throw otherwise
}

function exportTarget(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports
  for (const condition of ['.', 'node', 'import', 'default']) {
    const target = member(exports, condition)
    if (target !== undefined) return exportTarget(target)
  }
  return undefined
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && key in value
    ? (value as Record<string, unknown>)[key]
    : undefined
}

/** Members that every provider must have, with their types. */
const shape: Readonly<Partial<Record<keyof Provider, 'string' | 'function' | 'object' | 'list'>>> = {
  name: 'string',
  title: 'string',
  aliases: 'list',
  configuration: 'object',
  identify: 'function',
  connect: 'function',
  classify: 'function',
  handlers: 'list',
  rules: 'list',
}

function faultsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return ['is not an object']
  return Object.entries(shape).flatMap(([key, expected]) => {
    const found = member(value, key)
    const isRight = expected === 'list' ? Array.isArray(found) : typeof found === expected
    return isRight ? [] : [`has no ${expected} "${key}"`]
  })
}

function isProvider(value: unknown, faults: readonly string[]): value is Provider {
  return faults.length === 0
}
