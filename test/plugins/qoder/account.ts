// Calls both APIs of the emulated account and the switches of the emulator directly, without our client.
import type { Test } from 'tap'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { type Emulator, startEmulator } from '../../../plugins/start-emulator.js'
import { forwardPrefix, headers, managedPrefix } from './subject.js'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject
  /** Returns the id in a response. */
  readonly id: string
}

export type Caller = (
  method: string,
  path: string,
  body?: Json | FormData,
  more?: Readonly<Record<string, string>>,
) => Promise<Answer>

export interface OpenAccount {
  readonly emulator: Emulator
  readonly cloud: Caller
  readonly forward: Caller
  readonly control: Caller
  turn(knobs: JsonObject): Promise<void>
}

export async function openAccount(t: Test): Promise<OpenAccount> {
  const emulator = await startEmulator({ providers: [qoderEmulator], seed: 1 })
  t.teardown(() => emulator.close())
  const control = caller(`${emulator.url}/_emulator`, {})
  return {
    emulator,
    cloud: caller(emulator.url + managedPrefix, headers),
    forward: caller(emulator.url + forwardPrefix, headers),
    control,
    turn: async (knobs) => void (await control('PUT', '/knobs', { qoder: knobs })),
  }
}

/** All objects of a list, page by page. */
export async function all(
  call: Caller,
  path: string,
  next: (page: JsonObject) => string,
): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = []
  for (let query = ''; ; ) {
    const { body } = await call('GET', `${path}?limit=2${query}`)
    const data = Array.isArray(body['data']) ? body['data'].filter(isObject) : []
    rows.push(...data)
    if (body['has_more'] !== true) return rows
    query = next(body)
  }
}

function caller(base: string, own: Readonly<Record<string, string>>): Caller {
  return async (method, path, body, more = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(base + path, {
      method,
      headers: { ...own, ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }), ...more },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed: unknown = text === '' ? {} : JSON.parse(text)
    const object = isObject(parsed) ? parsed : {}
    return { status: response.status, headers: response.headers, body: object, id: String(object['id']) }
  }
}
