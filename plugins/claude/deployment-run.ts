// Actions on a deployment: runs, pausing and their history.

import type { DeploymentActions } from '../../core/plugin/actions.js'
import { isObject } from '../../core/value/tree.js'
import { item } from '../shared/collection.js'

import { type ClaudeClient, paging } from './client.js'
import { problem } from './problems.js'

const path = (id: string | null) => item('/deployments', String(id))

export const deployments: DeploymentActions<ClaudeClient> = {
  async run({ client, signal }, { id }) {
    const run = await client.create(`${path(id)}/run`, {}, { signal })
    const { error } = run
    if (!isObject(error)) return run
    throw problem('claude.run-failed', {
      detail: `${String(run['id'])} has no session: ${String(error['message'] ?? error['type'])}. Claude pauses a deployment when something it needs is missing.`,
    })
  },
  pause: ({ client, signal }, id) => client.update(`${path(id)}/pause`, {}, { signal }),
  resume: ({ client, signal }, id) => client.update(`${path(id)}/unpause`, {}, { signal }),
  runs: ({ client, signal }, id) => client.list('/deployment_runs', { signal, query: { deployment_id: id } }, paging),
}
