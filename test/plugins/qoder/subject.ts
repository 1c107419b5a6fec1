// Configuration of the workbench for this provider, per API.
import type { Test } from 'tap'
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
