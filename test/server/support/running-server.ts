// A document server in this process, on a free port and a folder of its own, with its log in memory and a clock that can
// be moved. One for each test file: starting it loads the PDF engine.
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

/** Runs on, ahead of the real one by as much as it was moved. */
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
  /** With the API token. */
  readonly api: Client
  readonly clock: MovableClock
  /** Everything logged until now, as it was written. */
  log(): string
  /** Makes a ready document of these bytes, in the tenant (which is made too). */
  upload(pdf: Uint8Array, request?: UploadRequest): Promise<string>
  /** A document token. */
  documentToken(docId: string, scope: readonly string[], more?: TokenRequest): Promise<string>
  tenantToken(tenantId: string, scope: readonly string[], more?: TokenRequest): Promise<string>
}

export interface UploadRequest {
  /** Default `acme`. */
  readonly tenantId?: string
  readonly docId?: string
}

/** Further members of `tokens.issue`. */
export interface TokenRequest extends Readonly<Record<string, unknown>> {
  /** Default `acme`. */
  readonly tenantId?: string
}

export interface RunningOptions
  extends Partial<
    Pick<StartOptions, 'streamBounds' | 'rateBounds' | 'passphraseBounds' | 'connectionBounds' | 'access'>
  > {
  readonly settings?: Partial<Config>
  readonly env?: Readonly<Record<string, string>>
  /** Default: one that goes with the test. */
  readonly folder?: string
  /** Default: one that runs as the real one. */
  readonly clock?: MovableClock
}

/** It is closed with the test. */
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

/** What tests prepare with, on any server. */
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

/** What a test only prepares must work, or the test means nothing. */
export function done(answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}
