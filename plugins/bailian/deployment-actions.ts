// Actions on a deployment: runs, pausing and their history.
import type { DeploymentActions } from '../../core/plugin/actions.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { BailianClient } from './client.js'

export const deployments: DeploymentActions<BailianClient> = {
  run: ({ client, signal }, { id }) => client.create(pathTo`/deployments/${id}/run`, {}, { signal }),
  pause: ({ client, signal }, id) => client.update(pathTo`/deployments/${id}/pause`, {}, { signal }),
  resume: ({ client, signal }, id) => client.update(pathTo`/deployments/${id}/unpause`, {}, { signal }),
  runs: ({ client, signal }, id) => client.list(pathTo`/deployments/${id}/runs`, { signal }),
}
