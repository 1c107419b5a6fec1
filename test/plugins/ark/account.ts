// Emulated account for tests: the emulator over HTTP, a real client, and the arguments that the engine passes to handlers.
import { createHash } from 'node:crypto'
import type { Diagnostic } from '../../../core/diagnostic.js'
import type { Declaration, LocalSource, Project } from '../../../core/plugin/declaration.js'
import { fieldAt } from '../../../core/plugin/fields.js'
import type { Call, FieldTable, Handler, LeafChange, Remote } from '../../../core/plugin/handler.js'
import type { Scope } from '../../../core/plugin/scope.js'
import type { Clock } from '../../../core/ports/clock.js'
import { nodeHttp } from '../../../core/ports/node-http.js'
import { systemRandom } from '../../../core/ports/random.js'
import { canonical, type Json, type JsonObject, leavesOf, type Tree } from '../../../core/value/tree.js'
import { type ArkClient, connect } from '../../../plugins/ark/client.js'
import { arkEmulator } from '../../../plugins/ark/emulator/index.js'
import { startEmulator } from '../../../plugins/start-emulator.js'

/** Clock whose waits end at once. */
const hastyClock: Clock = { now: () => Date.now(), sleep: async () => {} }

export interface Logged {
  readonly method: string
  readonly path: string
  readonly body: JsonObject
  readonly status: number
}

export class Account {
  private constructor(
    readonly url: string,
    readonly client: ArkClient,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<Account> {
    const { url, close } = await startEmulator({ providers: [arkEmulator] })
    const environment = { http: nodeHttp, clock: hastyClock, random: systemRandom, emulatorUrl: url }
    return new Account(url, connect({ api_key: 'key' }, environment), close)
  }

  readonly reports: Diagnostic[] = []
  private readonly contents = new Map<string, readonly { readonly path: string; readonly bytes: Uint8Array }[]>()

  get call(): Call<ArkClient> {
    return {
      client: this.client,
      signal: new AbortController().signal,
      content: async ({ written, baseName }) => ({ baseName, files: this.contents.get(written) ?? [] }),
      report: (diagnostic) => void this.reports.push(diagnostic),
    }
  }

  /** A local file or folder: its files by path, a file under its own name. */
  source(written: string, files: Readonly<Record<string, string>>): LocalSource {
    const list = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
    this.contents.set(written, list)
    const digest = (text: string) => createHash('sha256').update(text).digest('hex')
    const baseName = written.split('/').at(-1) ?? written
    return {
      written,
      path: `/project/${written}`,
      kind: baseName in files ? 'file' : 'folder',
      baseName,
      sha256: digest(JSON.stringify(files)),
      sizeBytes: list.reduce((sum, { bytes }) => sum + bytes.length, 0),
      files: list.map(({ path, bytes }) => ({ path, sha256: digest(String(bytes)), sizeBytes: bytes.length })),
    }
  }

  async control(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const response = await fetch(`${this.url}/_emulator${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as JsonObject) // The emulator returns objects.
  }

  drift(id: string, change: JsonObject): Promise<JsonObject> {
    return this.control('PATCH', `/objects/${id}`, change)
  }

  knobs(own: JsonObject, common: JsonObject = {}): Promise<JsonObject> {
    return this.control('PUT', '/knobs', { ...common, ark: own })
  }

  async requests(method?: string): Promise<readonly Logged[]> {
    const { requests } = (await this.control('GET', '/requests')) as unknown as { requests: readonly Logged[] }
    return requests.filter((request) => method === undefined || request.method === method)
  }

  /** Sends a request without the client. */
  async raw(method: string, path: string, body?: Json, key = 'key'): Promise<{ status: number; body: JsonObject }> {
    const response = await fetch(`${this.url}/ark/api/v3${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as JsonObject }
  }
}

export function declaration<Body>(
  kind: string,
  name: string,
  body: Body,
  sources: readonly LocalSource[] = [],
): Declaration<Body> {
  return {
    kind,
    name,
    body,
    providers: { names: ['ark'], by: 'pin' },
    sources: new Map(sources.map((source) => [source.written, source])),
  }
}

export function project(...declarations: readonly Declaration[]): Project {
  const ofKind = (kind: string) => declarations.filter((one) => one.kind === kind)
  return {
    file: '/project/agents.yaml',
    folder: '/project',
    providers: new Map(),
    defaults: {},
    declarations,
    find: (kind, name) => ofKind(kind).find((one) => one.name === name),
    ofKind,
    variables: { value: () => undefined, mask: (text) => text },
  }
}

/** Outputs of other resources: `skill/review` to its id. */
export function scopeFor(one: Declaration, ids: Readonly<Record<string, string>> = {}): Scope {
  return {
    provider: 'ark',
    api: '',
    project: project(one),
    output: (kind, name) => ids[`${kind}/${name}`] ?? `unknown-${kind}-${name}`,
    source(written) {
      const source = one.sources.get(written)
      if (!source) throw new Error(`${written}: no such source`)
      return source
    },
  }
}

/** Runs the steps of the engine on one resource. */
export class Subject {
  constructor(
    private readonly account: Account,
    readonly handler: Handler<ArkClient>,
    readonly ids: Readonly<Record<string, string>> = {},
  ) {}

  desired(one: Declaration): Tree {
    const { mark } = this.handler
    const tree = this.handler.desired(one, scopeFor(one, this.ids))
    if (mark === undefined) return tree
    const marks = { 'agents.project': 'test', 'agents.resource': one.name }
    return { ...tree, [mark]: { ...(tree[mark] as JsonObject | undefined), ...marks } }
  }

  async create(one: Declaration): Promise<Remote> {
    const { handler, account } = this
    const remote = await handler.create(account.call, { desired: this.desired(one), sources: one.sources, nonce: 'n' })
    return handler.read(account.call, handler.outputs(remote).id)
  }

  async update(id: string, one: Declaration, base?: Tree): Promise<Remote> {
    const { handler, account } = this
    if (!handler.update) throw new Error(`${handler.kind} has no update`)
    const remote = await handler.read(account.call, id)
    const desired = this.desired(one)
    const observed = handler.observed(remote)
    const changes = differences(handler.fields, desired, observed, base)
    await handler.update(account.call, { id, desired, observed, remote, changes, sources: one.sources })
    return handler.read(account.call, id)
  }

  /** Returns the leaves that a plan would show, sorted. */
  planned(one: Declaration, remote: Remote): readonly string[] {
    return differences(this.handler.fields, this.desired(one), this.handler.observed(remote))
      .map(({ path }) => path)
      .sort()
  }
}

/** Leaf by leaf, as the engine compares; `base`: what was desired before, for leaves that are never answered. */
export function differences(fields: FieldTable, desired: Tree, observed: Tree, base: Tree = desired): LeafChange[] {
  const wanted = leavesOf(desired)
  const current = new Map([...leavesOf(observed)].filter(([path]) => !fieldAt(fields, path).writeOnly))
  for (const [path, value] of leavesOf(base)) if (fieldAt(fields, path).writeOnly) current.set(path, value)
  const changes: LeafChange[] = []
  for (const path of new Set([...wanted.keys(), ...current.keys()])) {
    const [after, before] = [wanted.get(path), current.get(path)]
    const { unordered } = fieldAt(fields, path)
    if (text(after, unordered) !== text(before, unordered)) changes.push({ path, before, after })
  }
  return changes
}

function text(value: Json | undefined, isUnordered: boolean | undefined): string {
  if (value === undefined) return ''
  return isUnordered && Array.isArray(value) ? value.map(canonical).sort().join() : canonical(value)
}
