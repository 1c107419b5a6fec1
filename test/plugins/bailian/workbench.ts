// Runs the provider's real handlers against its real emulator over HTTP, one step at a time, as the engine would.
import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { Check } from 'typebox/value'
import type { Declaration, LocalSource, Project } from '../../../core/declaration/declaration.js'
import type { Diagnostic } from '../../../core/diagnostic.js'
import { fieldAt, isShared } from '../../../core/plugin/fields.js'
import type { Call, FieldTable, Handler, LeafChange, Remote, SourceContent } from '../../../core/plugin/handler.js'
import type { Scope } from '../../../core/plugin/scope.js'
import { fetchHttp, fetchHttpStream } from '../../../core/ports/fetch-http.js'
import { canonical, type Json, type JsonObject, leavesOf, type Tree } from '../../../core/value/tree.js'
import { deployment } from '../../../plugins/bailian/deployment.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { memoryStore } from '../../../plugins/bailian/memory-store.js'
import { type Emulator, startEmulator } from '../../../plugins/emulator/start.js'
import { kinds } from '../../../plugins/kinds/index.js'

/** Those of the provider, and those it does not list yet. */
const handlers = [...bailian.handlers, memoryStore, deployment]

const marks = { 'agents.project': 'demo', 'agents.resource': '' }

/** Files of a source by their path, or the content of a single one. */
export type Content = Readonly<Record<string, string>>

export class Workbench {
  readonly waitsMs: number[] = []
  readonly reports: Diagnostic[] = []
  private readonly declarations: Declaration[] = []
  private readonly contents = new Map<string, SourceContent>()
  private readonly created = new Map<string, Remote>()
  readonly call: Call<unknown>

  private constructor(
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
    const environment = { http: fetchHttp, httpStream: fetchHttpStream, clock, random, emulatorUrl: emulator.url }
    this.call = {
      client: bailian.connect({ api_key: 'sk-any', workspace_id: 'ws_any' }, environment),
      signal: new AbortController().signal,
      content: async ({ written }) => this.contents.get(written) ?? { baseName: written, files: [] },
      report: (diagnostic) => void this.reports.push(diagnostic),
    }
  }

  static async open(t: Test): Promise<Workbench> {
    const time = { nowMs: Date.parse('2026-11-21T09:00:00Z') }
    const clock = { now: () => time.nowMs, sleep: async () => {} }
    const emulator = await startEmulator({ providers: [bailianEmulator], clock, seed: 1 })
    t.teardown(() => emulator.close())
    return new Workbench(emulator, time)
  }

  passDays(days: number): void {
    this.time.nowMs += days * 24 * 60 * 60 * 1000
  }

  /** Declares a resource, again if it is known; `contents` by the text under which the body names a source. */
  declare(kind: string, name: string, body: JsonObject, contents: Readonly<Record<string, Content>> = {}): void {
    const schema = kinds.find((known) => known.kind === kind)?.schema
    if (!schema || !Check(schema, body)) throw new Error(`not a ${kind}: ${JSON.stringify(body)}`)
    const index = this.declarations.findIndex((known) => known.kind === kind && known.name === name)
    const sources = new Map(Object.entries(contents).map(([written, files]) => [written, this.source(written, files)]))
    const declaration = { kind, name, body, sources, providers: { names: ['bailian'], by: 'default' as const } }
    this.declarations.splice(index < 0 ? this.declarations.length : index, index < 0 ? 0 : 1, declaration)
  }

  async create(kind: string, name: string): Promise<Remote> {
    await this.createDerived(kind, name)
    const { handler, own, parts, sources } = this.desired(kind, name)
    let remote = await handler.create(this.call, { desired: own, sources, nonce: 'a nonce' })
    const { id } = handler.outputs(remote)
    for (let polls = 0; handler.ready && handler.ready.state(remote) === 'pending'; polls++) {
      if (polls > 20) throw new Error(`${kind} ${name} never gets ready`)
      remote = await handler.read(this.call, id)
    }
    const state = handler.ready?.state(remote)
    if (typeof state === 'object') throw new Error(state.failed)
    this.created.set(`${kind}.${name}`, await handler.read(this.call, id))
    for (const [key, desired] of parts) await handler.parts?.create(this.call, id, { key, desired })
    return this.remote(kind, name)
  }

  /** What follows from the declaration, if it is not there yet. */
  async createDerived(kind: string, name: string): Promise<void> {
    const declaration = this.declaration(kind, name)
    for (const derived of this.handler(kind).derive?.(declaration, this.scope(declaration)) ?? []) {
      if (this.created.has(`${derived.kind}.${derived.name}`)) continue
      this.declarations.push({ ...declaration, ...derived })
      await this.create(derived.kind, derived.name)
    }
  }

  /** Paths of the leaves that a plan would change now. */
  async drift(kind: string, name: string): Promise<readonly string[]> {
    const { handler, own, parts } = this.desired(kind, name)
    const found = await handler.read(this.call, this.id(kind, name))
    const changes = differences(handler.fields, own, handler.observed(found))
    const held = await this.parts(kind, name)
    for (const [key, desired] of parts) {
      const part = held.get(key)
      const inner = differences(handler.parts?.fields ?? {}, desired, part ? (handler.parts?.observed(part) ?? {}) : {})
      changes.push(...inner.map((change) => ({ ...change, path: `${handler.parts?.name}/${key}/${change.path}` })))
    }
    return changes.map(({ path }) => path)
  }

  /** Brings what exists to what is declared, and says which leaves still differ then. */
  async update(kind: string, name: string): Promise<readonly string[]> {
    const { handler, own, parts, sources } = this.desired(kind, name)
    const id = this.id(kind, name)
    const remote = await handler.read(this.call, id)
    const observed = handler.observed(remote)
    const changes = differences(handler.fields, own, observed, { withWriteOnly: true })
    if (changes.length > 0) await handler.update?.(this.call, { id, desired: own, observed, remote, changes, sources })
    const held = await this.parts(kind, name)
    for (const [key, desired] of parts) {
      const part = held.get(key)
      if (!part || !handler.parts) {
        await handler.parts?.create(this.call, id, { key, desired })
        continue
      }
      const before = handler.parts.observed(part)
      const inner = differences(handler.parts.fields, desired, before, { withWriteOnly: true })
      const partUpdate = { key, id: handler.parts.id(part), desired, observed: before, changes: inner }
      if (inner.length > 0) await handler.parts.update?.(this.call, id, partUpdate)
    }
    this.created.set(`${kind}.${name}`, await handler.read(this.call, id))
    return this.drift(kind, name)
  }

  async remove(kind: string, name: string): Promise<void> {
    const { handler } = this.desired(kind, name)
    const id = this.id(kind, name)
    if (handler.parts?.surviveParent)
      for (const part of (await this.parts(kind, name)).values())
        await handler.parts.remove(this.call, id, handler.parts.id(part))
    await handler.remove(this.call, id)
  }

  /** Read now: gone, or what the handler makes of it. */
  async isGone(kind: string, name: string): Promise<boolean> {
    const { handler } = this.desired(kind, name)
    const found = await handler.read(this.call, this.id(kind, name))
    return handler.isGone?.(found) ?? false
  }

  async listed(kind: string): Promise<readonly string[]> {
    const ids: string[] = []
    for await (const remote of this.handler(kind).list?.(this.call) ?? [])
      ids.push(this.handler(kind).outputs(remote).id)
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
    const found = handlers.find((handler) => handler.kind === kind)
    if (!found) throw new Error(`no handler for ${kind}`)
    return found
  }

  id(kind: string, name: string): string {
    return this.handler(kind).outputs(this.remote(kind, name)).id
  }

  remote(kind: string, name: string): Remote {
    const found = this.created.get(`${kind}.${name}`)
    if (!found) throw new Error(`${kind} ${name} was not created`)
    return found
  }

  /** Below the emulated API, or below `/_emulator` where the path says so. */
  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const prefix = path.startsWith('/_emulator') ? '' : '/bailian/api/v1/agentstudio'
    const response = await fetch(this.emulator.url + prefix + path, {
      method,
      headers: {
        authorization: 'Bearer sk-any',
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as JsonObject }
  }

  private desired(kind: string, name: string) {
    const handler = this.handler(kind)
    const declaration = this.declaration(kind, name)
    const tree = handler.desired(declaration, this.scope(declaration))
    const { mark } = handler
    const own = mark
      ? { ...tree, [mark]: { ...(tree[mark] as JsonObject | undefined), ...marks, 'agents.resource': name } }
      : tree
    const parts = new Map(Object.entries(handler.parts?.desired(declaration, this.scope(declaration)) ?? {}))
    return { handler, own, parts, sources: declaration.sources }
  }

  declaration(kind: string, name: string): Declaration {
    const declaration = this.project.find(kind, name)
    if (!declaration) throw new Error(`${kind} ${name} is not declared`)
    return declaration
  }

  scope(declaration: Declaration): Scope {
    return {
      provider: 'bailian',
      api: '',
      project: this.project,
      output: (kind, name, output = 'id') => this.handler(kind).outputs(this.remote(kind, name))[output] ?? '',
      source(written) {
        const source = declaration.sources.get(written)
        if (!source) throw new Error(`${written} is no source`)
        return source
      },
    }
  }

  get project(): Project {
    return projectOf(this.declarations)
  }

  private source(written: string, files: Content): LocalSource {
    const baseName = written.split('/').at(-1) ?? written
    const bytes = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
    this.contents.set(written, { baseName, files: bytes })
    const sha256 = createHash('sha256').update(JSON.stringify(files)).digest('hex')
    return { written, path: `/nowhere/${written}`, kind: 'folder', baseName, sha256, sizeBytes: 0, files: [] }
  }
}

/** A project of these declarations and nothing else. */
export function projectOf(declarations: readonly Declaration[]): Project {
  return {
    file: '/nowhere/agents.yaml',
    folder: '/nowhere',
    providers: new Map(),
    defaults: {},
    declarations,
    find: (kind, name) => declarations.find((found) => found.kind === kind && found.name === name),
    ofKind: (kind) => declarations.filter((found) => found.kind === kind),
    variables: { value: () => undefined, mask: (text) => text },
  }
}

function differences(
  fields: FieldTable,
  desired: Tree,
  observed: Tree,
  { withWriteOnly = false }: { readonly withWriteOnly?: boolean } = {},
): LeafChange[] {
  const wanted = leavesOf(desired)
  const held = leavesOf(observed)
  return [...new Set([...wanted.keys(), ...held.keys()])].flatMap((path) => {
    const field = fieldAt(fields, path)
    const before = held.get(path)
    const after = wanted.get(path)
    const shown = field.digest && typeof after === 'string' ? createHash('sha256').update(after).digest('hex') : after
    if (field.writeOnly && !withWriteOnly) return []
    if (isShared(field) && after === undefined) return []
    return text(before, field.unordered) === text(shown, field.unordered) ? [] : [{ path, before, after }]
  })
}

function text(value: Json | undefined, unordered: true | undefined): string {
  if (value === undefined) return ''
  return unordered && Array.isArray(value) ? value.map(canonical).sort().join() : canonical(value)
}
