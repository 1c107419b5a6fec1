// Loads the providers that a file names, built-in ones by name and third-party ones by package or path, and nothing
// else.
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Disk, hasCode } from '../ports/disk.js'
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
  | { readonly type: 'missing' | 'failed' | 'shape'; readonly detail: string }

/** Loads a plugin. `specifier` is a package, resolved from the folder, or a path that begins with `.` or `/`. */
export async function loadPlugin(disk: Disk, specifier: string, folder: string): Promise<LoadedPlugin> {
  let url: string
  try {
    url = pathToFileURL(await locate(disk, specifier, folder)).href
  } catch (error) {
    if (!hasCode(error, 'MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ENOENT', 'ENOTDIR')) throw error
    return { type: 'missing', detail: `${specifier} is found neither as a package nor as a path in ${folder}.` }
  }
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

async function locate(disk: Disk, specifier: string, folder: string): Promise<string> {
  const require = createRequire(join(folder, 'agents.yaml'))
  if (/^(\.{0,2}\/|[A-Za-z]:[\\/])/.test(specifier)) return require.resolve(resolve(folder, specifier))
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
