// Reads the settings: flags win over the environment, the environment over the file, the file over the defaults.
// A setting nobody knows is an error wherever it stands: a misspelt limit must not be taken for the default.
import { readFile } from 'node:fs/promises'
import { Compile } from 'typebox/compile'
import { Convert, Create } from 'typebox/value'
import { parse, YAMLParseError } from 'yaml'
import { hint } from '../core/declaration/suggestions.js'
import { type Config, environmentNameOf, Settings } from './config.js'
import { serveProblem } from './problems.js'

export interface SettingSources {
  /** By setting name, as typed. */
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Path of a YAML file. */
  readonly file?: string
}

/** Where a value came from, to name it in an error: `--port`, `STEWARD_SERVE_PORT`, `steward.yaml: port`. */
interface Given {
  readonly value: unknown
  readonly source: string
}

const names = Object.keys(Settings.properties)
const listNames = new Set(['importAllow'])
const validator = Compile(Settings)

export async function readSettings({ flags, env, file }: SettingSources): Promise<Config> {
  const given = new Map<string, Given>([
    ...(file === undefined ? [] : await fromFile(file)),
    ...fromEnvironment(env),
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, { value, source: `--${name}` }] as const],
    ),
  ])
  const defaults: unknown = Create(Settings)
  const values = Object.fromEntries([...given].map(([name, { value }]) => [name, value]))
  const settings = Convert(Settings, { ...Object(defaults), ...values })
  if (validator.Check(settings)) return settings
  const [first] = validator.Errors(settings)
  const name = first?.instancePath.split('/')[1] ?? ''
  throw serveProblem('serve.bad-setting', {
    detail: `${given.get(name)?.source ?? name}: ${first?.message ?? 'is not valid'}.`,
  })
}

function fromEnvironment(env: SettingSources['env']): (readonly [string, Given])[] {
  const known = new Map(names.map((name) => [environmentNameOf(name), name]))
  return Object.entries(env).flatMap(([variable, text]) => {
    if (!variable.startsWith('STEWARD_SERVE_') || text === undefined) return []
    const name = known.get(variable)
    if (name === undefined) throw unknown(`The environment sets ${variable}.`, variable, [...known.keys()])
    return [[name, { value: listNames.has(name) ? text.split(',') : text, source: variable }] as const]
  })
}

async function fromFile(path: string): Promise<(readonly [string, Given])[]> {
  const content = await readYaml(path)
  if (content === null || content === undefined) return []
  if (typeof content !== 'object' || Array.isArray(content)) {
    throw serveProblem('serve.bad-setting', { detail: `${path} must hold settings, one "name: value" a line.` })
  }
  return Object.entries(content).map(([name, value]) => {
    if (!names.includes(name)) throw unknown(`${path} has "${name}".`, name, names)
    return [name, { value, source: `${path}: ${name}` }] as const
  })
}

async function readYaml(path: string): Promise<unknown> {
  try {
    return parse(await readFile(path, 'utf8'), { maxAliasCount: 10 })
  } catch (error) {
    if (error instanceof YAMLParseError || (error instanceof Error && 'code' in error)) {
      throw serveProblem('serve.no-settings-file', { detail: `${path}: ${error.message}`, cause: error })
    }
    throw error
  }
}

function unknown(sentence: string, name: string, candidates: readonly string[]) {
  return serveProblem('serve.unknown-setting', { detail: `${sentence} ${hint(name, candidates)}` })
}
