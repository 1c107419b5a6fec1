// Builds the body of a new session from its agent and the additions for this session.

import type { Scope } from '../../core/plugin/scope.js'
import type { SessionRequest } from '../../core/plugin/sessions.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { refuseOptions } from '../shared/session-options.js'
import { namedFile, type SessionResource, sessionContents } from '../shared/session-parts.js'
import { mountRoot, wireFile } from './mounts.js'
import { problem } from './problems.js'

export const memoryStoresMax = 8

/** Session options that this provider does not support, with the reason. */
const refusedOptions = {
  identity: 'End users are unknown to Bailian.',
  tunnel: 'Bailian has no way into private networks.',
} as const

export function sessionBody(name: string, agent: AgentBody, request: SessionRequest, scope: Scope): Tree {
  refuseOptions(scope.provider, request, refusedOptions)
  const { memoryStores, title, variables } = request
  const files = request.files.map((file) => namedFile(file, scope))
  const extras = { environment: request.environment, vaults: request.vaults, memoryStores, resources: files, mountRoot }
  const { environment, vaults, resources } = sessionContents({ name, body: agent }, extras, scope)
  refuseTooManyStores(resources)
  return {
    agent: scope.output('agent', name),
    environment_id: environment === undefined ? undefined : scope.output('environment', environment),
    title,
    vault_ids: vaults.map((vault) => scope.output('vault', vault)),
    environment_variables: variables,
    resources: resources.flatMap((resource) => wireResource(resource, scope)),
  }
}

function refuseTooManyStores(resources: readonly SessionResource[]): void {
  const count = resources.filter(({ type }) => type === 'memory_store').length
  if (count > memoryStoresMax)
    throw problem('bailian.too-many-memory-stores', {
      detail: `A session of Bailian mounts at most ${memoryStoresMax} distinct memory stores; these are ${count}.`,
    })
}

/**
 * Converts a resource. A repository is left out, because a rule refuses it. The server chooses where a store is
 * mounted.
 */
function wireResource(resource: SessionResource, scope: Scope): readonly JsonObject[] {
  if (resource.type !== 'memory_store') return wireFile(resource)
  const { type, memory_store, access = 'read_write', instructions } = resource
  return [{ type, memory_store_id: scope.output('memory_store', memory_store), access, instructions }]
}
