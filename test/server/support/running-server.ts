// Document server in this process, with a free port, its own folder, its log in memory, and an adjustable clock. One per
// test file, because a start loads the PDF engine.
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Test } from 'tap'
import { type Clock, systemClock } from '../../../core/ports/clock.js'
import { type RunningServer, type StartOptions, startServer } from '../../../server/lifecycle/start.js'
import type { Config } from '../../../server/settings/config.js'
import { readSettings } from '../../../server/settings/settings.js'
import { scratchFolder } from '../../cli/scratch.js'
import { builtThread } from '../../support/worker-thread.js'
import { type Answer, Client } from './client.js'

/** Clock that runs ahead of the real one by an adjustable time. */
export class MovableClock implements Clock {
  private aheadMs = 0

  now(): number {
    return systemClock.now() + this.aheadMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(ms, signal)
  }

  advance(ms: number): void {
    this.aheadMs += ms
  }
}

export interface Running extends RunningServer {
  /** Client with the API token. */
  readonly api: Client
  readonly clock: MovableClock
  /** Log output so far. */
  log(): string
  /** Creates a ready document with these bytes, and its tenant. Returns the id. */
  upload(pdf: Uint8Array, request?: UploadRequest): Promise<string>
  /** Issues a document token and returns a client with it. */
  documentToken(docId: string, scope: readonly string[], more?: TokenRequest): Promise<string>
  tenantToken(tenantId: string, scope: readonly string[], more?: TokenRequest): Promise<string>
}

export interface UploadRequest {
  /** Tenant. Default `acme`. */
  readonly tenantId?: string
  readonly docId?: string
}

/** Further members of the request `tokens.issue`. */
export interface TokenRequest extends Readonly<Record<string, unknown>> {
  /** Tenant. Default `acme`. */
  readonly tenantId?: string
}

export interface RunningOptions
  extends Partial<
    Pick<
      StartOptions,
      | 'pool'
      | 'streamBounds'
      | 'rateBounds'
      | 'passphraseBounds'
      | 'importBounds'
      | 'webhookBounds'
      | 'connectionBounds'
      | 'access'
      | 'acceptNewSecrets'
      | 'acceptMovedFiles'
    >
  > {
  readonly settings?: Partial<Config>
  readonly env?: Readonly<Record<string, string>>
  /** Data folder. Default: a temporary one of the test. */
  readonly folder?: string
  /** Clock. Default: real time. */
  readonly clock?: MovableClock
}

/** Starts a server, which is closed at the end of the test. */
export async function runServer(
  t: Test,
  { settings = {}, env = {}, folder, clock = new MovableClock(), ...more }: RunningOptions = {},
): Promise<Running> {
  const lines: string[] = []
  const logTo = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const defaults = await readSettings({ flags: {}, env: {} })
  const config: Config = { ...defaults, port: 0, threads: 1, data: folder ?? scratchFolder(t, 'data'), ...settings }
  const thread = await builtThread()
  const server = await startServer(config, { env, version: '0.0.0-test', logTo, clock, thread, ...more })
  t.teardown(() => server.close())
  const api = new Client(server.url, server.apiToken)
  return { ...server, api, clock, log: () => lines.join(''), ...makers(api) }
}

/** Helpers to prepare data on any server. */
export function makers(api: Client): Pick<Running, 'upload' | 'documentToken' | 'tenantToken'> {
  return {
    async upload(pdf, { tenantId = 'acme', docId } = {}) {
      await api.post('/v1/tenants', { id: tenantId }).then(done)
      const sha256 = createHash('sha256').update(pdf).digest('hex')
      const documents = `/v1/tenants/${tenantId}/documents`
      const request = { contentLength: pdf.length, contentSha256: sha256, ...(docId === undefined ? {} : { docId }) }
      const announced = await api.post(`${documents}/init`, request).then(done)
      const id = announced.word('/document/id')
      await api.sendFile(announced.word('/upload/url'), pdf).then(done)
      await api.post(`${documents}/${id}/commit`, { sha256 }).then(done)
      return id
    },
    async documentToken(docId, scope, { tenantId = 'acme', ...more } = {}) {
      const request = { kind: 'doc', sub: 'ada', docId, scope, expiresIn: 600, ...more }
      return (await api.post(`/v1/tenants/${tenantId}/tokens`, request).then(done)).word('/token')
    },
    async tenantToken(tenantId, scope, more = {}) {
      const request = { kind: 'tenant', sub: 'backend', scope, expiresIn: 600, ...more }
      return (await api.post(`/v1/tenants/${tenantId}/tokens`, request).then(done)).word('/token')
    },
  }
}

/** Returns the answer of a preparing request; throws if it failed. */
export function done(answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}
