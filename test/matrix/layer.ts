// Client of a layer: reads, and writes through the route of each op.
import { randomUUID } from 'node:crypto'
import { findOpContract } from '../../workers/contract/ops/index.js'
import { layerPath } from '../server/changes/support/changing.js'
import type { Answer, Client } from '../server/support/client.js'

export interface Op {
  readonly type: string
  readonly [member: string]: unknown
}

export interface Resources {
  readonly [key: string]: { readonly bytes: Uint8Array; readonly contentType?: string; readonly fileName?: string }
}

export interface Written {
  readonly status: number
  /** Code of a refusal, also of one within a successful response. */
  readonly code: string | undefined
  readonly message: string
  /** Result of the op; undefined if it was refused. */
  readonly item: Readonly<Record<string, unknown>> | undefined
  readonly opId: string
}

/** The route of an op by itself. Its contract names the member that the path contains: a page. */
function routeOf(op: Op) {
  const route = findOpContract(op.type)?.route
  const [method = 'POST'] = route?.methods ?? []
  if (route === undefined) throw new Error(`${op.type} has no route`)
  const { named } = route
  const page = named === undefined ? undefined : Object(op[named]).objectNumber
  const path = route.path.slice(1).replace(':pageKey', `obj:${page}`)
  if (path.includes(':annotKey') || path.includes(':fieldKey')) throw new Error(`${op.type} is no op of a page`)
  return { method, path, named }
}

export class LayerClient {
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(
    private readonly api: Client,
    docId: string,
    layerName: string,
    password: string | undefined,
  ) {
    this.#path = layerPath({ docId, layerName: encodeURIComponent(layerName) })
    this.#headers =
      password === undefined ? {} : { 'x-document-password': Buffer.from(password, 'utf8').toString('base64') }
  }

  get(path: string): Promise<Answer> {
    return this.api.get(`${this.#path}/${path}`, this.#headers)
  }

  post(path: string, json: unknown): Promise<Answer> {
    return this.api.post(`${this.#path}/${path}`, json, this.#headers)
  }

  async write(op: Op, resources: Resources = {}): Promise<Written> {
    return findOpContract(op.type)?.isBatchable === false
      ? await this.#byRoute(op, resources)
      : await this.#asChange({ ops: [op] }, resources)
  }

  undo(opId: string): Promise<Written> {
    return this.#asChange({ undoOf: opId }, {})
  }

  async #asChange(entry: object, resources: Resources): Promise<Written> {
    const opId = randomUUID()
    const answer = await this.#send('changes', { changes: [{ opId, ...entry }] }, { resources })
    const error = Object(answer.at('/changes/0/error') ?? answer.at('/error'))
    const isApplied = answer.at('/changes/0/status') === 'applied'
    const items = Object(answer.at('/changes/0/result/items'))
    return {
      status: answer.status,
      code: isApplied ? undefined : String(error.code),
      message: String(error.message ?? ''),
      item: isApplied ? Object(items[0]) : undefined,
      opId,
    }
  }

  async #byRoute({ type, ...members }: Op, resources: Resources): Promise<Written> {
    const { method, path, named } = routeOf({ type, ...members })
    const body = Object.fromEntries(Object.entries(members).filter(([name]) => name !== named))
    const opId = randomUUID()
    const answer = await this.#send(path, body, { resources, opId, method })
    const isApplied = answer.status === 200
    return {
      status: answer.status,
      code: isApplied ? undefined : (answer.code ?? `status ${answer.status}`),
      message: String(answer.at('/error/message') ?? ''),
      item: isApplied ? Object(answer.json()) : undefined,
      opId,
    }
  }

  #send(
    path: string,
    json: object,
    {
      resources,
      opId,
      method = 'POST',
    }: { readonly resources: Resources; readonly opId?: string; readonly method?: string },
  ): Promise<Answer> {
    const headers = { ...this.#headers, ...(opId !== undefined && { 'idempotency-key': opId }) }
    const parts = Object.entries(resources)
    if (parts.length === 0) return this.api.send(`${this.#path}/${path}`, { method, json, headers })
    const form = new FormData()
    form.set('body', JSON.stringify(json))
    for (const [key, { bytes, contentType = 'application/pdf', fileName = 'file' }] of parts) {
      form.set(`resource:${key}`, new Blob([Buffer.from(bytes)], { type: contentType }), fileName)
    }
    return this.api.send(`${this.#path}/${path}`, { method, body: form, headers })
  }
}
