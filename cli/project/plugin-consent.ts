// Which plugins this user has allowed to run, by folder, name and content. That is stored in the user's own folder, where no
// project can write, or named by a variable where nobody can be asked.
import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NamedPlugin, PluginConsent } from '../../core/plugin/plugin-consent.js'
import { hasCode } from '../../core/ports/disk.js'
import { replaceFile } from '../../server/storage/whole-file.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Hashes that `agents plugins allow` shows, separated by commas; or `all`. */
export const allowVariable = 'STEWARD_ALLOW_PLUGINS'

/** Decides by what was allowed; `decide` replaces that. */
export function pluginConsent(env: Environment, decide: PluginConsent['answerFor'] = storedAnswer(env)): PluginConsent {
  return { program: programFolder(), answerFor: decide }
}

function storedAnswer(env: Environment): PluginConsent['answerFor'] {
  const named = (env[allowVariable] ?? '').split(',').map((word) => word.trim().toLowerCase())
  return async (plugin) => {
    const { sha256 } = plugin.content
    if (named.includes('all') || named.includes(sha256)) return 'allowed'
    const allowed = await allowedHash(plugin, env)
    if (allowed === undefined) return 'unknown'
    return allowed === sha256 ? 'allowed' : 'changed'
  }
}

async function allowedHash(plugin: NamedPlugin, env: Environment): Promise<string | undefined> {
  const path = consentFile(plugin, env)
  if (path === undefined) return undefined
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const sha256 = typeof value === 'object' && value !== null && 'sha256' in value ? value.sha256 : ''
    return typeof sha256 === 'string' ? sha256 : ''
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
    if (error instanceof SyntaxError) return ''
    throw error
  }
}

/** Stores consent to this content. Returns the file; undefined if the environment names no folder of the user. */
export async function allowPlugin(plugin: NamedPlugin, env: Environment): Promise<string | undefined> {
  const path = consentFile(plugin, env)
  if (path === undefined) return undefined
  const { folder, specifier, content } = plugin
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify({ folder, plugin: specifier, sha256: content.sha256 }, null, 2)}\n`)
  return path
}

function consentFile({ folder, specifier }: NamedPlugin, env: Environment): string | undefined {
  const root = userFolder(env)
  const name = createHash('sha256')
    .update(JSON.stringify([folder, specifier]))
    .digest('hex')
  return root === undefined ? undefined : join(root, 'steward', 'plugins', `${name.slice(0, 32)}.json`)
}

function userFolder({ XDG_CONFIG_HOME, APPDATA, HOME }: Environment): string | undefined {
  const named = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME
  if (named && isAbsolute(named)) return named
  return HOME && isAbsolute(HOME) ? join(HOME, '.config') : undefined
}

/** The folder of the running program, built or not: the nearest one with a package.json. */
function programFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
  return realpathSync(folder)
}
