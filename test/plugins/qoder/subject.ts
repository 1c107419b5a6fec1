// Configuration of the workbench for this provider, per API.
import type { Test } from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import * as forward from '../../../plugins/qoder/forward/handlers.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { Workbench } from '../workbench.js'

export const headers = { authorization: 'Bearer pt-any' } as const

export const managedPrefix = '/qoder/api/v1/cloud'
export const forwardPrefix = '/qoder/api/v1/forward'

export const openQoder = (t: Test): Promise<Workbench> =>
  Workbench.open(t, {
    provider: { ...qoder, handlers: qoder.handlers.filter(({ api }) => api === 'managed') },
    emulator: qoderEmulator,
    configuration: { api_key: 'pt-any' },
    prefix: managedPrefix,
    headers,
  })

export const openForward = (t: Test): Promise<Workbench> =>
  Workbench.open(t, {
    provider: { ...qoder, handlers: Object.values(forward) },
    emulator: qoderEmulator,
    configuration: { api_key: 'pt-any' },
    prefix: forwardPrefix,
    headers,
  })

/** Sets switches of this provider, and common ones. */
export async function turn(bench: Workbench, own: JsonObject, common: JsonObject = {}): Promise<void> {
  const { status } = await bench.request('PUT', '/_emulator/knobs', { ...common, qoder: own })
  if (status !== 200) throw new Error(`the knobs were refused with ${status}`)
}

/** Seeds an object, and returns its id. */
export async function seed(bench: Workbench, kind: string, body: JsonObject, api = 'managed'): Promise<string> {
  const answer = await bench.request('POST', '/_emulator/objects', { provider: 'qoder', kind, api, body })
  if (answer.status !== 201) throw new Error(`seeding ${kind}: ${JSON.stringify(answer.body)}`)
  return String(answer.body['id'])
}
