// One row of the tables of rules: what is declared, what is found in it, and what each provider calls that.
import type { Severity } from '../../../core/diagnostic.js'

export type Name = 'ark' | 'bailian' | 'claude' | 'qoder'

/** Title of the test, code without the provider, and the severity, which is `error` unless given. Rows of one title are one test. */
type Words = readonly [title: string, code: string, severity?: Severity]

export interface Case {
  readonly kind: string
  readonly on: Readonly<Partial<Record<Name, Words>>>
  /** API of the resource, on a provider that has two. */
  readonly api?: 'forward'
  /** Other declarations of the project, by kind and name. */
  readonly beside?: Readonly<Record<string, object>>
  /** Name of `defaults.identity`. */
  readonly identity?: string
  readonly passes: readonly object[]
  /** Bodies, each with the places found in it. */
  readonly fails: readonly (readonly [object, ...string[]])[]
}

export const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))
export const names = (count: number) => times(count, (index) => `n${index}`)
export const pairs = (count: number) => Object.fromEntries(names(count).map((name) => [name, 'v']))

export const cloud = (more: object = {}) => ({ config: { type: 'cloud', ...more } })
export const variable = (more: object = {}) => ({
  name: 'Key',
  type: 'environment_variable',
  secret_name: 'KEY',
  secret_value: 'x',
  ...more,
})
export const bearer = (more: object = {}) => ({
  name: 'Tracker',
  type: 'static_bearer',
  mcp_server_url: 'https://mcp.example',
  access_token: 'x',
  ...more,
})
export const vault = (...credentials: readonly object[]) => ({ credentials })
export const agent = (more: object = {}) => ({ model: 'm', instructions: 'Help.', ...more })
/** An agent that is delivered by Qoder's forward API. */
export const forward = (more: object = {}) =>
  agent({ environment: 'box', delivery: { qoder: { type: 'forward' } }, ...more })
export const message = { type: 'user.message', content: 'Go.' }
export const deployment = (more: object = {}) => ({
  agent: 'helper',
  environment: 'box',
  initial_events: [message],
  ...more,
})
export const store = (memory_store: string, more: object = {}) => ({ type: 'memory_store', memory_store, ...more })
export const repository = (more: object = {}) => ({
  type: 'git_repository',
  url: 'https://git.example/acme/a.git',
  ...more,
})
