// Configuration of the workbench for this provider.
import type { Test } from 'tap'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { Workbench } from '../workbench.js'

export const prefix = '/bailian/api/v1/agentstudio'

export const openBailian = (t: Test): Promise<Workbench> =>
  Workbench.open(t, {
    provider: bailian,
    emulator: bailianEmulator,
    configuration: { api_key: 'sk-any', workspace_id: 'ws_any' },
    prefix,
    headers: { authorization: 'Bearer sk-any' },
  })
