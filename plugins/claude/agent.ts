// Agents (agent configuration 2.11). Every accepted update creates a version; the current one guards the next update.
import { patchBody } from '../../core/plugin/body.js'
import { type FieldTable, type Handler, handler, type Remote, type UpdateRequest } from '../../core/plugin/handler.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import { keepUndeclared, type Written } from '../../core/plugin/undeclared.js'
import { isEmpty, type Json, type JsonObject, leafKeys, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { membersOf } from '../kinds/multiagent.js'
import { item, versionOutputs } from '../shared/collection.js'
import { declared } from '../shared/declared.js'
import { declaredAgent } from '../shared/declared-agent.js'
import { objectOf } from '../shared/wire.js'
import {
  declaredSkills,
  desiredServers,
  desiredSkills,
  observedServers,
  observedSkills,
  wireServers,
  wireSkills,
} from './agent-references.js'
import { builtinTools, desiredTools, observedTools, wireTools } from './agent-tools.js'
import { archival, calledName, collection } from './answers.js'
import type { ClaudeClient } from './client.js'
import { withLeavesOfOthers } from './leaves-of-others.js'
import {
  clearedMultiagent,
  declaredMultiagent,
  desiredMultiagent,
  multiagentFields,
  namesItself,
  observedMultiagent,
  pinned,
  wireMultiagent,
} from './multiagent.js'
import { declaredLimits } from './tool-limits.js'

const fields: FieldTable = {
  'model/id': { label: 'model' },
  // An effort that was declared is cleared with null; one that is left out stays.
  'model/effort': { label: 'model_settings.effort', owner: 'declared' },
  'model/speed': { label: 'model_settings.speed' },
  'model/inference_geo': { label: 'model_settings.inference_geo', owner: 'declared' },
  'tools/limits': { owner: 'declared' },
  'tools/limits/*/allowed_domains': { owner: 'declared', unordered: true },
  'tools/limits/*/blocked_domains': { owner: 'declared', unordered: true },
  'tools/custom': { owner: 'declared' },
  system: { label: 'instructions' },
  // Without a declared version the server uses the newest one. Versions have two names, an id and a number.
  'skills/*/version': { owner: 'declared', normalised: true },
  ...multiagentFields,
  metadata: { map: 'patchNull' },
}

const written = {
  fields,
  wire: wireBody,
  // An effort that is left out stays; members of a roster are pinned anew.
  added: ['model/effort', 'tools/*/configs/*', 'tools/*/configs/*/type', ...pinned],
} as const satisfies Written

export const agent: Handler<ClaudeClient> = handler<ClaudeClient, AgentBody>({
  ...collection('/agents'),
  ...archival('/agents'),
  ...written,
  kind: 'agent',
  // In form 1 tools of MCP servers were `on`, whatever their permission.
  form: 2,
  support: { reason: 'archived instead of deleted' },
  mark: 'metadata',

  desired: ({ name, body }, scope) => ({
    name: body.name ?? name,
    description: body.description,
    model: desiredModel(body, scope.provider),
    system: body.instructions,
    tools: desiredTools(body),
    mcp_servers: desiredServers(body.mcp_servers),
    skills: desiredSkills(body.skills, scope),
    multiagent: desiredMultiagent(body.multiagent, scope),
    metadata: body.metadata,
  }),
  // Saving the coordinator again updates the versions of members in its roster.
  follows: ({ body }, scope) =>
    [...membersOf(body.multiagent)].flatMap(({ member }) =>
      typeof member === 'string' ? [scope.output('agent', member, 'version')] : [],
    ),
  observed: (remote) => {
    const { name, description, model, system, metadata } = remote
    return {
      name,
      description,
      model: observedModel(model),
      system,
      tools: observedTools(remote['tools']),
      mcp_servers: observedServers(remote['mcp_servers']),
      skills: observedSkills(remote['skills']),
      multiagent: observedMultiagent(remote['multiagent']),
      metadata,
    }
  },
  outputs: versionOutputs,

  create: ({ client, signal }, { desired }) => {
    const body = { ...wireBody(desired), metadata: desired['metadata'] }
    const stated = Object.entries(body).filter(([, value]) => !isEmpty(value))
    return client.create('/agents', Object.fromEntries(stated), { signal })
  },
  update: ({ client, signal }, request) => client.update(item('/agents', request.id), updateBody(request), { signal }),

  moves: ['version'],
  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  declare: ({ remote }, index) => declaration(remote, index),
})

function desiredModel({ model, model_settings: settings }: AgentBody, provider: string): Tree {
  const id = typeof model === 'string' ? model : model[provider]
  const speed = settings?.speed === 'standard' ? undefined : settings?.speed
  return { id, effort: settings?.effort, speed, inference_geo: settings?.inference_geo }
}

function observedModel(model: Json | undefined): Tree {
  const { id, effort, speed, inference_geo } = typeof model === 'string' ? { id: model } : objectOf(model)
  return { id, effort: objectOf(effort)['type'], speed: speed === 'standard' ? undefined : speed, inference_geo }
}

/** Returns the declaration. An effort that the file does not state is left out: every agent has one, and it stays. */
function declaration(remote: Remote, index: RemoteIndex): JsonObject | undefined {
  const tree = agent.observed(remote)
  const { id, effort, speed, inference_geo } = objectOf(tree['model'])
  const stated = index.isWritten(['model_settings', 'effort']) ? { effort } : {}
  const options = {
    builtinTools,
    moreTools: declaredLimits(objectOf(tree['tools'])),
    skills: declaredSkills(remote['skills']),
    ...declaredMultiagent(tree['multiagent'], index),
  }
  if (namesItself(tree['multiagent'], remote['id'])) return index.cannotSay('it is a member of its own roster')
  const body = declaredAgent({ ...tree, model: { id } }, options, index)
  const { name, description, model, ...rest } = body ?? {}
  return (
    body && { ...declared({ name, description, model, model_settings: { ...stated, speed, inference_geo } }), ...rest }
  )
}

/**
 * Returns all members but the metadata, with explicit empty values, because an update keeps the members that it lacks.
 */
function wireBody(desired: Tree, current: JsonObject = {}): JsonObject {
  const { name, description, model, system, tools, mcp_servers, skills, multiagent } = desired
  return {
    name,
    description: description ?? '',
    model: wireModel(objectOf(model)),
    system: system ?? '',
    tools: wireTools(tools, current['tools']),
    mcp_servers: wireServers(mcp_servers),
    skills: wireSkills(skills),
    multiagent: wireMultiagent(multiagent, current['multiagent']),
  }
}

function wireModel({ effort, ...model }: JsonObject): JsonObject {
  return isEmpty(effort) ? model : { ...model, effort: { type: effort } }
}

/**
 * Returns the body of an update, always with the roster, so that members are pinned again. Servers and their toolsets
 * are sent together.
 */
function updateBody(given: UpdateRequest): JsonObject {
  const request = withLeavesOfOthers(given, ['model/inference_geo', 'tools/limits', 'tools/custom'])
  const { remote, changes } = request
  const changed = new Set(changes.map(({ path }) => leafKeys(path)[0]))
  if (changed.has('mcp_servers')) changed.add('tools')
  if (changed.has('tools')) changed.add('mcp_servers')
  const { body: whole } = keepUndeclared(written, request)
  if (!isEmpty(request.desired['multiagent'])) changed.add('multiagent')
  const cleared = { ...whole, multiagent: clearedMultiagent(whole['multiagent'], changes) }
  const body: [string, Json | undefined][] = Object.entries(cleared).filter(([member]) => changed.has(member))
  const { metadata } = patchBody(fields, request)
  const hasCleared = changes.some(({ path, after }) => path === 'model/effort' && isEmpty(after))
  if (hasCleared) body.push(['model', { ...objectOf(whole['model']), effort: null }])
  return { ...Object.fromEntries(body), ...(metadata === undefined ? {} : { metadata }), version: remote['version'] }
}
