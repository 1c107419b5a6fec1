// Nimbus, a service with what plugins find hard: OAuth, ETags, `Link` headers, objects that are built or removed after
// the answer, operations to poll, soft deletes, a kind without a list, and error bodies of its own.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { RemoteObject } from '../../../core/conformance/subject.js'

interface Stored {
  readonly id: string
  revision: number
  /** Time at which the object is built, and for a removed one the time at which it is gone. */
  builtAtMs: number
  goneAtMs: number | undefined
  members: Record<string, unknown>
}

interface Collection {
  readonly kind?: string
  readonly members: readonly string[]
  readonly fixed?: readonly string[]
  readonly hidden?: string
  readonly unique?: string
  readonly isUnlisted?: true
}

const collections: Readonly<Record<string, Collection>> = {
  rooms: {
    kind: 'environment',
    members: ['title', 'note', 'image', 'tools', 'labels'],
    fixed: ['image'],
    unique: 'title',
  },
  safes: { kind: 'vault', members: ['title', 'labels'], unique: 'title' },
  items: { members: ['slug', 'target', 'value', 'hint'], fixed: ['slug', 'target'], hidden: 'value', unique: 'slug' },
  hooks: { kind: 'webhook', members: ['title', 'url', 'topics', 'retries'], isUnlisted: true },
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(reason)
  }
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Time that building and removing take. */
const laterMs = 30
const pageMax = 2

export class Nimbus {
  url = ''
  /** Value of the client secret that is accepted. */
  readonly secret = 'nimbus-s3cret-0123'
  readonly tokens = new Set<string>()
  private readonly objects = new Map<string, Map<string, Stored>>()
  private readonly made = new Map<string, Stored>()
  private isOverloaded = false
  private readonly server = createServer(async (request, response) => {
    const { status, body, headers } = await this.answer(request).catch((error: unknown): Answer => {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: { problem: { reason: error.reason, message: `it is ${error.reason}` } } }
    })
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? '' : JSON.stringify(body))
  })

  static async start(): Promise<Nimbus> {
    const nimbus = new Nimbus()
    nimbus.server.listen(0, '127.0.0.1')
    await once(nimbus.server, 'listening')
    const address = nimbus.server.address()
    nimbus.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
    return nimbus
  }

  overload(): void {
    this.isOverloaded = true
  }

  expireTokens(): void {
    this.tokens.clear()
  }

  async listed(): Promise<readonly RemoteObject[]> {
    return Object.entries(collections).flatMap(([path, { kind }]) =>
      kind === undefined
        ? []
        : [...this.at(path).values()].map((one) => {
            return { kind, id: one.id, name: String(one.members['title']), archived: isGone(one) }
          }),
    )
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url)
    const sent = await text(request)
    if (pathname === '/oauth/token') return this.signIn(new URLSearchParams(sent))
    if (!this.tokens.has(request.headers.authorization?.slice('Bearer '.length) ?? ''))
      throw new Refusal(401, 'token_expired')
    if (this.isOverloaded) {
      this.isOverloaded = false
      throw new Refusal(429, 'slow_down')
    }
    const words = pathname.slice('/v2/'.length).split('/')
    const id = words.length % 2 === 0 ? words.pop() : undefined
    const path = words.join('/')
    if (path === 'operations') return this.operation(id ?? '')
    const collection = collections[words.at(-1) ?? '']
    if (!collection) throw new Refusal(404, 'unknown')
    const body: Record<string, unknown> = sent === '' ? {} : JSON.parse(sent)
    const { method } = request
    if (id === undefined && method === 'POST')
      return this.create(path, collection, body, request.headers['x-request-key']?.toString())
    if (id === undefined) return this.list(path, collection, Number(searchParams.get('cursor') ?? 0))
    const found = this.at(path).get(id)
    if (!found) throw new Refusal(404, 'unknown')
    if (method === 'GET') return shown(collection, found) // Removed objects too, with `deleted_at`.
    if (isGone(found)) throw new Refusal(410, 'deleted')
    if (method === 'PATCH') return this.update(path, collection, found, body, request.headers['if-match'])
    found.goneAtMs = Date.now() + (path === 'rooms' ? laterMs : 0)
    return path === 'rooms' ? { ...shown(collection, found), status: 202 } : { status: 204 }
  }

  private signIn(form: URLSearchParams): Answer {
    if (form.get('client_secret') !== this.secret) throw new Refusal(400, 'invalid_client')
    const token = `token-${randomUUID()}`
    this.tokens.add(token)
    return { status: 200, body: { access_token: token, token_type: 'bearer' } }
  }

  private create(path: string, collection: Collection, body: Record<string, unknown>, key?: string): Answer {
    const before = key === undefined ? undefined : this.made.get(key)
    if (!before) this.check(path, collection, body)
    const now = Date.now()
    const members = { ...body, created_at: new Date(now).toISOString() }
    const made = before ?? { id: randomUUID(), revision: 1, builtAtMs: now + laterMs, goneAtMs: undefined, members }
    this.at(path).set(made.id, made)
    if (key !== undefined) this.made.set(key, made)
    if (path === 'safes') return { status: 202, headers: { location: `/operations/${made.id}` } }
    return { ...shown(collection, made), status: 201 }
  }

  private operation(id: string): Answer {
    const safe = this.at('safes').get(id)
    if (!safe) throw new Refusal(404, 'unknown')
    return { status: 200, body: { state: Date.now() < safe.builtAtMs ? 'working' : 'done', target: id } }
  }

  private list(path: string, collection: Collection, start: number): Answer {
    if (collection.isUnlisted) throw new Refusal(405, 'not_listed')
    const all = [...this.at(path).values()].filter((one) => !isGone(one))
    const items = all.slice(start, start + pageMax).map((one) => shown(collection, one).body)
    const next = `<${this.url}/v2/${path}?cursor=${start + pageMax}>; rel="next"`
    return { status: 200, body: { items }, headers: start + pageMax < all.length ? { link: next } : {} }
  }

  private update(
    path: string,
    collection: Collection,
    found: Stored,
    body: Record<string, unknown>,
    match: string | undefined,
  ): Answer {
    if (match === undefined && collection.kind) throw new Refusal(428, 'unguarded')
    if (match !== undefined && match !== etagOf(found)) throw new Refusal(412, 'changed')
    if (Object.keys(body).some((member) => collection.fixed?.includes(member))) throw new Refusal(422, 'fixed')
    this.check(path, collection, body, found)
    const labels = Object.entries({ ...Object(found.members['labels']), ...Object(body['labels']) })
    const kept = { labels: Object.fromEntries(labels.filter(([, value]) => value !== null)) }
    const merged = { ...found.members, ...body, ...(labels.length > 0 ? kept : {}) }
    found.members = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
    found.revision += 1
    return shown(collection, found)
  }

  private check(
    path: string,
    { members, unique = '' }: Collection,
    body: Record<string, unknown>,
    self?: Stored,
  ): void {
    if (Object.keys(body).some((member) => !members.includes(member))) throw new Refusal(422, 'unknown_member')
    const others = [...this.at(path).values()].filter((one) => one !== self && !isGone(one))
    const isTaken = others.some((one) => body[unique] !== undefined && one.members[unique] === body[unique])
    if (isTaken) throw new Refusal(409, 'title_taken')
  }

  private at(path: string): Map<string, Stored> {
    const found = this.objects.get(path) ?? new Map<string, Stored>()
    this.objects.set(path, found)
    return found
  }
}

const etagOf = ({ revision }: Stored): string => `"${revision}"`

const isGone = ({ goneAtMs }: Stored): boolean => goneAtMs !== undefined && Date.now() >= goneAtMs

function shown({ kind, hidden }: Collection, one: Stored): Answer {
  const { [hidden ?? '']: _, ...members } = one.members
  const tools = members['tools']
  const body = {
    id: one.id,
    ...members,
    ...(Array.isArray(tools) ? { tools: [...tools].sort() } : {}),
    ...(kind === 'environment' ? { state: Date.now() < one.builtAtMs ? 'building' : 'running' } : {}),
    deleted_at: isGone(one) ? new Date(one.goneAtMs ?? 0).toISOString() : null,
  }
  return { status: 200, body, headers: { etag: etagOf(one) } }
}
