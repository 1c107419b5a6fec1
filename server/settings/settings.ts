// Reads the settings. Precedence: flags, environment, file, defaults. Unknown settings are errors in every source, so
// that a misspelt limit is not silently replaced by its default.
import { readFile } from 'node:fs/promises'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { Create } from 'typebox/value'
import { parseDocument } from 'yaml'
import { Problem } from '../../core/diagnostic.js'
import { hint } from '../../core/value/suggestions.js'
import { type Config, environmentNameOf, flagOf, Settings } from './config.js'
import { readConnections } from './connections.js'
import { serveDiagnostic, serveProblem } from './problems.js'

export interface SettingSources {
  /** Flags by setting name. */
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of a YAML file. */
  readonly file?: string
}

/** Value with its source for errors: `--port`, `STEWARD_SERVE_PORT`, `steward.yaml: port`. */
interface SettingSource {
  readonly value: unknown
  readonly source: string
}

const names = Object.keys(Settings.properties)
const listNames = new Set(['importAllow', 'webhookAllow'])
const validator = Compile(Settings)
/** Maximum number of times that the content of one anchor is repeated. */
const aliasCountMax = 10

export async function readSettings({ flags, env, file }: SettingSources): Promise<Config> {
  const content = file === undefined ? {} : await fromFile(file)
  const sources = new Map<string, SettingSource>([
    ...settingsOf(content, file ?? ''),
    ...fromEnvironment(env),
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value, source: `--${flagOf(name)}` }] as const],
    ),
  ])
  const defaults: unknown = Create(Settings)
  const values = Object.fromEntries([...sources].map(([name, { value }]) => [name, readAs(name, value)]))
  const settings = { ...Object(defaults), ...values }
  const connections = readConnections(content.connections, `${file}: connections`)
  const wrong = [...misfits(settings, sources), ...conflicts(sources), ...connections.wrong]
  if (wrong.length === 0 && validator.Check(settings)) return { ...settings, connections: connections.connections }
  throw new Problem(wrong.map((detail) => serveDiagnostic('serve.bad-setting', { detail })))
}

/** Converts text to the type of the setting, strictly: `80.5` is not the port 80, the empty string is not 0. */
function readAs(name: string, value: unknown): unknown {
  const schema: unknown = Object.entries(Settings.properties).find(([known]) => known === name)?.[1]
  const { type }: { readonly type?: unknown } = Object(schema)
  if (type === 'integer' && typeof value === 'string' && /^-?(?:0|[1-9][0-9]*)$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

/** Returns one sentence per invalid value. */
function misfits(settings: unknown, sources: ReadonlyMap<string, SettingSource>): readonly string[] {
  const byName = new Map<string, string>()
  for (const error of validator.Errors(settings)) {
    const name = error.instancePath.split('/')[1] ?? ''
    if (!byName.has(name)) byName.set(name, reasonOf(error))
  }
  return [...byName].map(([name, message]) => `${sources.get(name)?.source ?? name} ${message}.`)
}

/** Returns the message of the validator, reworded if it refers to the schema. */
function reasonOf(error: TLocalizedValidationError): string {
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword === 'pattern') return beginnings.get(error.params.pattern.toString()) ?? error.message
  return error.message
}

/** Sentences for the patterns of addresses, by pattern. */
const beginnings: ReadonlyMap<string, string> = new Map([
  ['^https?://', 'must begin with http:// or https://'],
  ['^postgres(ql)?://', 'must begin with postgres://'],
  ['^s3://', 'must begin with s3://'],
  ['^rediss?://', 'must begin with redis:// or rediss://'],
])

/** Returns conflicts between settings that exclude each other. */
function conflicts(sources: ReadonlyMap<string, SettingSource>): readonly string[] {
  const [key, jwks] = [sources.get('tokenPublicKey'), sources.get('tokenJwks')]
  return key && jwks ? [`${key.source} and ${jwks.source} both say how tokens are verified.`] : []
}

function fromEnvironment(env: SettingSources['env']): (readonly [string, SettingSource])[] {
  const known = new Map(names.map((name) => [environmentNameOf(name), name]))
  return Object.entries(env).flatMap(([variable, text]) => {
    // An empty variable counts as unset.
    if (!variable.startsWith('STEWARD_SERVE_') || text === undefined || text === '') return []
    const name = known.get(variable)
    if (name === undefined) throw unknown(`The environment sets ${variable}.`, variable, [...known.keys()])
    return [
      [
        name,
        { value: listNames.has(name) ? text.split(',').map((one) => one.trim()) : text, source: variable },
      ] as const,
    ]
  })
}

/** Contents of the file. `connections` has no flag and no variable. */
async function fromFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  const content = await readYaml(path)
  if (content === null || content === undefined) return {}
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw serveProblem('serve.bad-setting', { detail: `${path} does not hold settings, one "name: value" a line.` })
  }
  return { ...content }
}

function settingsOf(content: Readonly<Record<string, unknown>>, path: string): (readonly [string, SettingSource])[] {
  const fileNames = [...names, 'connections']
  return Object.entries(content).flatMap(([name, value]) => {
    if (!fileNames.includes(name)) throw unknown(`${path} has "${name}".`, name, fileNames)
    return name === 'connections' ? [] : [[name, { value, source: `${path}: ${name}` }] as const]
  })
}

async function readYaml(path: string): Promise<unknown> {
  const refused = (reason: string, cause?: unknown) =>
    serveProblem('serve.no-settings-file', { detail: `${path}: ${reason}`, ...(cause !== undefined && { cause }) })
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw error instanceof Error && 'code' in error ? refused(error.message, error) : error
  })
  // With this level the parser prints no warnings of its own: a tag that it does not know is refused here.
  const document = parseDocument(text, { logLevel: 'error' })
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong !== undefined) throw refused(wrong.message, wrong)
  try {
    return document.toJS({ maxAliasCount: aliasCountMax })
  } catch (error) {
    // The parser resolves aliases last, and throws this for one without an anchor and for too many.
    if (error instanceof ReferenceError) throw refused(error.message, error)
    throw error
  }
}

function unknown(sentence: string, name: string, candidates: readonly string[]) {
  return serveProblem('serve.unknown-setting', { detail: `${sentence} ${hint(name, candidates)}` })
}
