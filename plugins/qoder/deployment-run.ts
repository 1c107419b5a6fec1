// Actions on a deployment: runs, pausing and their history.

import type { DeploymentActions } from '../../core/plugin/actions.js'
import { isObject } from '../../core/value/tree.js'
import { paging, type QoderClient } from './client.js'
import { problem } from './problems.js'
import { item } from './wire.js'

export const deployments: DeploymentActions<QoderClient> = {
  async run({ client, signal }, { id }) {
    const run = await client.managed.create(item('/deployments', String(id), 'run'), {}, { signal })
    const { error } = run
    if (!isObject(error)) return run
    throw problem('qoder.run-failed', {
      detail: `${String(run['id'])} has no session: ${String(error['message'] ?? error['type'])}.`,
    })
  },
  pause: ({ client, signal }, id) => client.managed.update(item('/deployments', id, 'pause'), {}, { signal }),
  resume: ({ client, signal }, id) => client.managed.update(item('/deployments', id, 'unpause'), {}, { signal }),
  runs: ({ client, signal }, id) =>
    client.managed.list('/deployment_runs', { signal, query: { deployment_id: id } }, paging),
}
