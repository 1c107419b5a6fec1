// Templates: the form of forward agents at Qoder (agent configuration 2.4, 2.11, 2.15). They are archived, never
// deleted.

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import type { Scope } from '../../../core/plugin/scope.js'
import { keepUndeclared, type Written } from '../../../core/plugin/undeclared.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../../core/value/tree.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import type { TunnelBody } from '../../kinds/tunnel.js'
import { objectOf, objectsOf, textsOf } from '../../shared/wire.js'
import { agentFields, desiredAgent, observedAgent, resolvedMembers, wireAgent } from '../agent-body.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { collection } from '../collection.js'
import { calledName } from '../declared.js'
import { templateBody } from '../declared-agent.js'
import { isEnabled, item, metadataOf } from '../wire.js'
import { defaultMemoryStoreOf } from './default-memory-store.js'
import { memoryMounts } from './memory-mount.js'

const fields = {
  ...agentFields,
  environment_id: { label: 'environment', clear: null },
  vaults: { label: 'vault', clear: null, unordered: true },
  files: { clear: null, unordered: true },
  environment_variables: { clear: null },
  tunnel_id: { label: 'tunnel', clear: null },
  // Without a declaration the template keeps tools that others enabled (agent configuration 2.4 rule 2).
  managed_tool_config: { owner: 'whileDeclared' },
  metadata: { map: 'patchEmpty' },
} as const

const written = { fields, wire: wireTemplate, added: resolvedMembers } as const satisfies Written

export const template = handler<QoderClient, AgentBody>({
  ...collection('forward', '/templates'),
  ...written,
  kind: 'agent',
  // In form 1 tools of MCP servers were switches without a permission.
  form: 2,
  support: { reason: 'as a template, which can be archived but not deleted' },
  mark: 'metadata',

  desired: ({ name, body }, scope) => ({
    ...desiredAgent(name, body, scope),
    environment_id: body.environment === undefined ? undefined : scope.output('environment', body.environment),
    vaults: body.vault === undefined ? [] : [scope.output('vault', body.vault)],
    files: inheritedFiles(body).map((file) => scope.output('file', file)),
    environment_variables: body.environment_variables,
    tunnel_id: tunnelOf(body, scope),
    multiagent: desiredRoster(body, scope),
    managed_tool_config: body.managed_tool_config && toolList(body.managed_tool_config.enabled_tools),
    metadata: body.metadata,
  }),
  observed: (remote) => ({
    ...observedAgent({ ...remote, skills: objectsOf(remote['skills']).filter(isEnabled) }),
    environment_id: remote['environment_id'],
    vaults: Array.isArray(remote['vault_ids']) ? remote['vault_ids'] : enabledIds(remote['vaults']),
    files: enabledIds(remote['files']),
    environment_variables: remote['environment_variables'],
    tunnel_id: remote['tunnel_id'],
    multiagent: observedRoster(objectOf(remote['multiagent'])),
    managed_tool_config: toolList(textsOf(objectOf(remote['managed_tool_config'])['enabled_tools'])),
    metadata: metadataOf(remote),
  }),
  derive: (declaration, { project }) => [
    ...memoryMounts(declaration, project),
    ...defaultMemoryStoreOf(declaration, project),
  ],

  create: (call, { desired, nonce }) =>
    call.client.forward.create('/templates', wireTemplate(desired), idempotent(call, nonce)),
  update: ({ client, signal }, request) => {
    const changed = patchBody(fields, request, written)
    const hasTools = request.changes.some(({ path }) => path === 'managed_tool_config')
    // An empty set is a value too: it turns the tools off.
    const { managed_tool_config } = keepUndeclared(written, request).body
    const body = hasTools ? { ...changed, managed_tool_config } : changed
    return client.forward.update(item('/templates', request.id), body, { signal })
  },
  remove: async ({ client, signal }, id) =>
    void (await client.forward.update(item('/templates', id, 'archive'), {}, { signal })),
  removal: 'archive',
  list: ({ client, signal }) => client.forward.list('/templates', { signal, query: { status: 'active' } }, paging),

  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  declare: ({ remote }, index): JsonObject | undefined => {
    const tree = template.observed(remote)
    const body = templateBody(tree, index)
    const { managed_tool_config: tools } = managedTools(tree)
    return body && (tree['managed_tool_config'] === noTools ? body : { ...body, managed_tool_config: tools })
  },
})

/**
 * Returns files without a mount path, which a template passes to all its sessions; the others are mounted by each
 * session.
 */
function inheritedFiles({ files }: AgentBody): readonly string[] {
  return (files ?? []).filter((file) => typeof file === 'string')
}

function tunnelOf({ tunnel }: AgentBody, { project }: Scope): string | undefined {
  if (tunnel === undefined) return undefined
  const declared = project.find('tunnel', tunnel)?.body as TunnelBody | undefined // The kind says which body it is.
  return declared?.tunnel_id
}

function desiredRoster({ multiagent }: AgentBody, scope: Scope): Tree | undefined {
  if (!multiagent?.agents) return undefined
  const names = multiagent.agents.filter((member) => typeof member === 'string')
  return {
    type: 'coordinator',
    agents: names.map((name) => ({ type: 'agent', template_id: scope.output('agent', name) })),
  }
}

function observedRoster(roster: JsonObject): Tree {
  const agents = objectsOf(roster['agents']).map(({ type, template_id }) => ({ type, template_id }))
  return { type: roster['type'], agents }
}

const noTools = 'none'

/**
 * Returns the list as one text, so that an empty list differs from an undeclared one (agent configuration 2.4 rule 1).
 */
function toolList(tools: readonly string[]): string {
  return [...tools].sort().join(', ') || noTools
}

/** Converts lists to maps of switches, and the set of managed tools, which is sent only if declared. */
function wireTemplate(tree: Tree, remote: JsonObject = {}): JsonObject {
  const { managed_tool_config: _tools, ...rest } = tree
  return {
    ...wireAgent(rest, remote),
    ...managedTools(tree),
    vaults: switches(tree['vaults']),
    files: switches(tree['files']),
  }
}

function managedTools({ managed_tool_config: tools }: Tree): JsonObject {
  if (typeof tools !== 'string') return {}
  return { managed_tool_config: { enabled_tools: tools === noTools ? [] : tools.split(', ') } }
}

function switches(ids: Json | undefined): JsonObject {
  return Object.fromEntries(textsOf(ids).map((id) => [id, { enabled: true }]))
}

function enabledIds(map: Json | undefined): readonly string[] {
  return Object.entries(objectOf(map)).flatMap(([id, entry]) => (isObject(entry) && isEnabled(entry) ? [id] : []))
}
