// Configuration of the workbench for this provider.
import type { Test } from 'tap'
import { arkEmulator } from '../../../plugins/ark/emulator/index.js'
import { ark } from '../../../plugins/ark/index.js'
import { Workbench } from '../workbench.js'

export const openArk = (t: Test): Promise<Workbench> =>
  Workbench.open(t, {
    provider: ark,
    emulator: arkEmulator,
    configuration: { api_key: 'any' },
    prefix: '/ark/api/v3',
    headers: { authorization: 'Bearer any' },
  })
