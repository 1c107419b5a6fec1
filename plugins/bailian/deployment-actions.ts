// What people do with a deployment besides declaring it.
import type { DeploymentActions } from '../../core/plugin/actions.js'
import type { BailianClient } from './client.js'

export const deployments: DeploymentActions<BailianClient> = {
  run: ({ client, signal }, { id }) => client.create(`/deployments/${id}/run`, {}, { signal }),
  pause: ({ client, signal }, id) => client.update(`/deployments/${id}/pause`, {}, { signal }),
  resume: ({ client, signal }, id) => client.update(`/deployments/${id}/unpause`, {}, { signal }),
  runs: ({ client, signal }, id) => client.list(`/deployments/${id}/runs`, { signal }),
}
