// Runs the handlers of a provider against its emulator over HTTP, one step at a time, like the engine.
import { createHash, randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import type { Diagnostic } from '../../core/diagnostic.js'
import type { Declaration, LocalSource, Project } from '../../core/plugin/declaration.js'
import type { Call, Handler, Remote, SourceContent } from '../../core/plugin/handler.js'
import type { Provider } from '../../core/plugin/provider.js'
import type { Outputs, Scope } from '../../core/plugin/scope.js'
import { nodeHttp, nodeHttpStream } from '../../core/ports/node-http.js'
import { expand, outputPlaceholder } from '../../core/value/placeholder.js'
import { isObject, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { EmulatedProvider } from '../../plugins/emulator/contract.js'
import { type Emulator, startEmulator } from '../../plugins/start-emulator.js'
import { declared, projectOf } from './declared.js'
import { differences } from './leaves.js'

/** Files of a folder by their path, or the text of a single file. */
export type Content = string | Readonly<Record<string, string>>

export interface Subject {
  readonly provider: Provider
  readonly emulator: EmulatedProvider
  readonly configuration: JsonObject
  /** Prefix of the emulated API, `/claude/v1`. */
  readonly prefix: string
  /** Headers of direct calls, besides the content type. */
  readonly headers: Readonly<Record<string, string>>
}

/** Maximum number of polls: enough for delayed scans, and a bound for endless ones. */
const readinessReadsMax = 50

export class Workbench {
  readonly reports: Diagnostic[] = []
  /** Durations of the waits of the provider. They end at once, and advance the clock. */
  readonly waitsMs: number[] = []
  readonly call: Call<unknown>
  private readonly declarations: Declaration[] = []
  private readonly contents = new Map<LocalSource, SourceContent>()
  private readonly made = new Map<string, Remote>()
  /** What was wanted at the last create or update, by resource, and by part behind its key. */
  private readonly applied = new Map<string, Tree>()

  private constructor(
    private readonly subject: Subject,
    readonly emulator: Emulator,
    private readonly time: { nowMs: number },
  ) {
    const clock = {
      now: () => time.nowMs,
      sleep: async (ms: number) => {
        this.waitsMs.push(ms)
        time.nowMs += ms
      },
    }
    const random = { uuid: () => 'a nonce', fraction: () => 0 }
    const environment = { http: nodeHttp, httpStream: nodeHttpStream, clock, random, emulatorUrl: emulator.url }
    this.call = {
      client: subject.provider.connect(subject.configuration, environment),
      signal: new AbortController().signal,
      content: async (source) => this.contents.get(source) ?? { baseName: source.baseName, files: [] },
      report: (diagnostic) => void this.reports.push(diagnostic),
    }
  }

  static async open(t: Test, subject: Subject): Promise<Workbench> {
    const time = { nowMs: Date.parse('2026-11-21T09:00:00Z') }
    const clock = { now: () => time.nowMs, sleep: async () => {} }
    const emulator = await startEmulator({ providers: [subject.emulator], seed: 1, clock })
    t.teardown(() => emulator.close())
    return new Workbench(subject, emulator, time)
  }

  /** Advances the clock of the provider and of its service. */
  passDays(days: number): void {
    this.time.nowMs += days * 24 * 60 * 60 * 1000
  }

  /** Declares a resource, again if it is known; `contents` by the text under which the body names a source. */
  declare(kind: string, name: string, body: object, contents: Readonly<Record<string, Content>> = {}): Declaration {
    const sources = new Map(Object.entries(contents).map(([written, files]) => [written, this.source(written, files)]))
    const declaration = { ...declared(this.subject.provider.name, kind, name, body), sources }
    const known = this.declarations.findIndex((each) => each.kind === kind && each.name === name)
    this.declarations.splice(known < 0 ? this.declarations.length : known, known < 0 ? 0 : 1, declaration)
    return declaration
  }

  /** Creates the resource and derived ones, and waits until it is ready. */
  async create(kind: string, name: string): Promise<Remote> {
    await this.createDerived(kind, name)
    const { handler, own, parts, sources } = this.desired(kind, name)
    const remote = await handler.create(this.call, { desired: own, sources, nonce: randomUUID() })
    const { id } = handler.outputs(remote)
    await this.untilReady(handler, remote)
    for (const [key, desired] of parts) await handler.parts?.create(this.call, id, { key, desired })
    this.recordApplied(kind, name)
    return this.remember(kind, name, id)
  }

  /** Paths of the leaves that a plan would change now. */
  async drift(kind: string, name: string): Promise<readonly string[]> {
    const { handler, own, parts } = this.desired(kind, name)
    const found = await handler.read(this.call, this.id(kind, name))
    const changes = differences(handler.fields, own, handler.observed(found))
    const current = await this.parts(kind, name)
    for (const key of new Set([...parts.keys(), ...(this.ownsParts(kind, name) ? current.keys() : [])])) {
      const part = current.get(key)
      const observed = part && handler.parts ? handler.parts.observed(part) : {}
      const inner = differences(handler.parts?.fields ?? {}, parts.get(key) ?? {}, observed)
      changes.push(...inner.map((change) => ({ ...change, path: `${key}: ${change.path}` })))
    }
    return changes.map(({ path }) => path).sort()
  }

  /** Reconciles the object with its declaration, and returns the leaves that still differ. */
  async update(kind: string, name: string): Promise<readonly string[]> {
    const { handler, own, parts, sources } = this.desired(kind, name)
    const id = this.id(kind, name)
    const remote = await handler.read(this.call, id)
    const observed = handler.observed(remote)
    const changes = differences(handler.fields, own, observed, this.applied.get(`${kind}.${name}`) ?? {})
    if (changes.length > 0) await handler.update?.(this.call, { id, desired: own, observed, remote, changes, sources })
    if (handler.parts) {
      const current = await this.parts(kind, name)
      if (this.ownsParts(kind, name))
        for (const [key, part] of current)
          if (!parts.has(key)) await handler.parts.remove(this.call, id, handler.parts.id(part))
      await this.writeParts(handler.parts, [kind, name], parts, current)
    }
    this.recordApplied(kind, name)
    await this.remember(kind, name, id)
    return this.drift(kind, name)
  }

  async remove(kind: string, name: string): Promise<void> {
    const { parts, remove } = this.handler(kind)
    const id = this.id(kind, name)
    if (parts?.surviveParent)
      for (const part of (await this.parts(kind, name)).values()) await parts.remove(this.call, id, parts.id(part))
    await remove(this.call, id)
  }

  /** True if the object is gone or archived. */
  async isGone(kind: string, name: string): Promise<boolean> {
    const handler = this.handler(kind)
    const remote = await handler.read(this.call, this.id(kind, name))
    return handler.isGone?.(remote) ?? false
  }

  async listed(kind: string): Promise<readonly string[]> {
    const handler = this.handler(kind)
    const ids: string[] = []
    for await (const remote of handler.list?.(this.call) ?? []) ids.push(handler.outputs(remote).id)
    return ids
  }

  async parts(kind: string, name: string): Promise<ReadonlyMap<string, Remote>> {
    const { parts } = this.handler(kind)
    const found = new Map<string, Remote>()
    for await (const remote of parts?.list(this.call, this.id(kind, name)) ?? [])
      if (parts && !parts.isGone?.(remote)) found.set(parts.key(remote), remote)
    return found
  }

  handler(kind: string): Handler {
    const found = this.subject.provider.handlers.find((handler) => handler.kind === kind)
    if (!found) throw new Error(`no handler for ${kind}`)
    return found
  }

  /** Entries of memory stores, for commands. */
  get memories(): NonNullable<Provider['memories']> {
    return required(this.subject.provider.memories)
  }

  get sessions(): NonNullable<Provider['sessions']> {
    return required(this.subject.provider.sessions)
  }

  get deployments(): NonNullable<Provider['deployments']> {
    return required(this.subject.provider.deployments)
  }

  id(kind: string, name: string): string {
    return this.outputs(kind, name).id
  }

  outputs(kind: string, name: string): Outputs {
    return this.handler(kind).outputs(this.remote(kind, name))
  }

  remote(kind: string, name: string): Remote {
    const found = this.made.get(`${kind}.${name}`)
    if (!found) throw new Error(`${kind} ${name} was not created`)
    return found
  }

  /** Path below the emulated API, or below `/_emulator` if it says so. */
  async request(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const isForm = body instanceof FormData
    const isControl = path.startsWith('/_emulator')
    const response = await fetch(this.emulator.url + (isControl ? '' : this.subject.prefix) + path, {
      method,
      headers: {
        ...(isControl ? {} : this.subject.headers),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed: unknown = isJson ? JSON.parse(Buffer.from(bytes).toString()) : {}
    return { status: response.status, headers: response.headers, bytes, body: isObject(parsed) ? parsed : {} }
  }

  /** Sets switches of this provider, and common ones. */
  async turn(own: JsonObject, common: JsonObject = {}): Promise<void> {
    const knobs = { ...common, [this.subject.provider.name]: own }
    const { status } = await this.request('PUT', '/_emulator/knobs', knobs)
    if (status !== 200) throw new Error(`the knobs were refused with ${status}`)
  }

  /** Makes an object like another client, and returns its id. */
  async seed(kind: string, body: JsonObject = {}, more: { readonly id?: string; readonly api?: string } = {}) {
    const object = { provider: this.subject.provider.name, kind, body, ...more }
    const answer = await this.request('POST', '/_emulator/objects', object)
    if (answer.status !== 201) throw new Error(`seeding ${kind}: ${JSON.stringify(answer.body)}`)
    return String(answer.body['id'])
  }

  /** Changes an object like another client. */
  async change(id: string, body: JsonObject): Promise<void> {
    const { status } = await this.request('PATCH', `/_emulator/objects/${id}`, body)
    if (status !== 200) throw new Error(`PATCH ${id}: ${status}`)
  }

  /** Returns bodies of the requests so far with this method and end of the path. */
  async sent(method: string, end: string): Promise<readonly JsonObject[]> {
    const { requests } = (await this.request('GET', '/_emulator/requests')).body
    return (Array.isArray(requests) ? requests.filter(isObject) : [])
      .filter((request) => request['method'] === method && String(request['path']).endsWith(end))
      .map(({ body }) => (isObject(body) ? body : {}))
  }

  get project(): Project {
    return projectOf(this.declarations)
  }

  declaration(kind: string, name: string): Declaration {
    const found = this.project.find(kind, name)
    if (!found) throw new Error(`${kind} ${name} is not declared`)
    return found
  }

  /** Every placeholder of an output replaced by what was created. */
  expanded(tree: Tree): Tree {
    const value = expand(tree, (open) => {
      if (open.type !== 'output') return undefined
      const [kind = '', ...name] = open.address.split('.').slice(1)
      return this.outputs(kind, name.join('.'))[open.output]
    })
    return isObject(value) ? value : {}
  }

  scope(declaration: Declaration): Scope {
    const provider = this.subject.provider.name
    return {
      provider,
      api: '',
      project: this.project,
      output: (kind, name, output = 'id') => outputPlaceholder(`${provider}.${kind}.${name}`, output),
      source(written) {
        const source = declaration.sources.get(written)
        if (!source) throw new Error(`${written} is no source`)
        return source
      },
    }
  }

  private async createDerived(kind: string, name: string): Promise<void> {
    const declaration = this.declaration(kind, name)
    for (const derived of this.handler(kind).derive?.(declaration, this.scope(declaration)) ?? []) {
      if (this.made.has(`${derived.kind}.${derived.name}`)) continue
      this.declarations.push({ ...declaration, ...derived })
      await this.create(derived.kind, derived.name)
    }
  }

  private async untilReady({ ready, read, outputs }: Handler, remote: Remote): Promise<void> {
    let seen = remote
    for (let reads = 0; ready?.state(seen) === 'pending'; reads++) {
      if (reads === readinessReadsMax) throw new Error('it never gets ready')
      seen = await read(this.call, outputs(remote).id)
    }
    const state = ready?.state(seen)
    if (typeof state === 'object') throw new Error(state.failed)
  }

  private desired(kind: string, name: string) {
    const handler = this.handler(kind)
    const declaration = this.declaration(kind, name)
    const scope = this.scope(declaration)
    const { mark } = handler
    const tree = this.expanded(handler.desired(declaration, scope))
    const marks = { 'agents.project': 'demo', 'agents.resource': name }
    const marked = mark ? { ...tree, [mark]: { ...(isObject(tree[mark]) ? tree[mark] : {}), ...marks } } : tree
    const parts = Object.entries(this.expanded(handler.parts?.desired(declaration, scope) ?? {}))
    return {
      handler,
      own: marked,
      parts: new Map(parts.map(([key, part]) => [key, isObject(part) ? part : {}])),
      sources: declaration.sources,
    }
  }

  /** Removes an object that is no longer declared. */
  private ownsParts(kind: string, name: string): boolean {
    return this.handler(kind).parts?.policy(this.declaration(kind, name)) === 'own'
  }

  private async writeParts(
    parts: NonNullable<Handler['parts']>,
    [kind, name]: readonly [kind: string, name: string],
    desired: ReadonlyMap<string, Tree>,
    current: ReadonlyMap<string, Remote>,
  ): Promise<void> {
    const id = this.id(kind, name)
    for (const [key, tree] of desired) {
      const part = current.get(key)
      if (part === undefined) {
        await parts.create(this.call, id, { key, desired: tree })
        continue
      }
      const observed = parts.observed(part)
      const changes = differences(parts.fields, tree, observed, this.applied.get(`${kind}.${name} ${key}`) ?? {})
      const update = { key, id: parts.id(part), desired: tree, observed, remote: part, changes }
      if (changes.length > 0) await parts.update?.(this.call, id, update)
    }
  }

  private recordApplied(kind: string, name: string): void {
    const { own, parts } = this.desired(kind, name)
    this.applied.set(`${kind}.${name}`, own)
    for (const [key, part] of parts) this.applied.set(`${kind}.${name} ${key}`, part)
  }

  private async remember(kind: string, name: string, id: string): Promise<Remote> {
    const remote = await this.handler(kind).read(this.call, id)
    this.made.set(`${kind}.${name}`, remote)
    return remote
  }

  private source(written: string, content: Content): LocalSource {
    const baseName = written.split('/').at(-1) ?? written
    const isFile = typeof content === 'string'
    const files = Object.entries(isFile ? { [baseName]: content } : content).map(([path, text]) => {
      const bytes = new TextEncoder().encode(text)
      return { path, bytes, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    })
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    const sha256 = createHash('sha256')
      .update(files.map((file) => file.path + file.sha256).join())
      .digest('hex')
    const kind = isFile ? 'file' : 'folder'
    const source: LocalSource = { written, path: `/nowhere/${written}`, kind, baseName, sha256, sizeBytes, files }
    this.contents.set(source, { baseName, files })
    return source
  }
}

/** Everything that is iterated over. */
export async function all<Item>(items: AsyncIterable<Item> | undefined): Promise<readonly Item[]> {
  const found: Item[] = []
  for await (const item of items ?? []) found.push(item)
  return found
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the provider does not have it')
  return value
}
