// Configuration of the workbench for this provider.
import type { Test } from 'tap'
import { deployment } from '../../../plugins/bailian/deployment.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { memoryStore } from '../../../plugins/bailian/memory-store.js'
import { Workbench } from '../workbench.js'

export const prefix = '/bailian/api/v1/agentstudio'

/** Handlers of the provider, and handlers that it does not export yet. */
const handlers = [...bailian.handlers, memoryStore, deployment]

export const openBailian = (t: Test): Promise<Workbench> =>
  Workbench.open(t, {
    provider: { ...bailian, handlers },
    emulator: bailianEmulator,
    configuration: { api_key: 'sk-any', workspace_id: 'ws_any' },
    prefix,
    headers: { authorization: 'Bearer sk-any' },
  })
