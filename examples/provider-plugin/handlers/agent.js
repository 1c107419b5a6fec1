// Agents: they refer to an environment and a vault by id, and have a version that an update must name.
import { handler, patchBody } from 'steward/plugin'
import { ownMetadata, saidOf } from './declare.js'

/**
 * @import { ApiClient, Handler, RemoteIndex } from 'steward/plugin'
 * @import { AgentBody } from 'steward/kinds'
 */

const fields = /** @type {const} */ ({
  system: { label: 'instructions' },
  description: { clear: '' },
  environment_id: { clear: null },
  vault_id: { clear: null },
  skill_ids: { label: 'skills', unordered: true, clear: [] },
  tools: { unordered: true, clear: [] },
  metadata: { map: 'patchNull' },
})

/** @type {Handler<ApiClient, AgentBody>} */
const typed = {
  kind: 'agent',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }, scope) => ({
    name,
    description: body.description,
    model: typeof body.model === 'string' ? body.model : body.model[scope.provider],
    system: body.instructions,
    // The ids need not exist yet: this is text that stands for them, and creates the dependency.
    environment_id: body.environment && scope.output('environment', body.environment),
    vault_id: body.vault && scope.output('vault', body.vault),
    skill_ids: body.skills?.map((skill) => (typeof skill === 'string' ? scope.output('skill', skill) : skill.skill_id)),
    tools: body.tools?.builtin,
    metadata: body.metadata,
  }),
  observed: ({ name, description, model, system, environment_id, vault_id, skill_ids, tools, metadata }) => ({
    name,
    description,
    model,
    system,
    environment_id,
    vault_id,
    skill_ids,
    tools,
    metadata,
  }),
  outputs: ({ id, version }) => ({ id: String(id), version: String(version) }),
  moves: ['version'],
  createdAtMs: ({ created_at_ms }) => Number(created_at_ms),

  read: (call, id) => call.client.get(`/agents/${id}`, call),
  create: (call, { desired }) => call.client.create('/agents', desired, call),
  update: (call, request) => {
    const body = { ...patchBody(fields, request), if_version: request.remote['version'] }
    return call.client.update(`/agents/${request.id}`, body, { ...call, method: 'PATCH' })
  },
  remove: async (call, id) => void (await call.client.delete(`/agents/${id}`, call)),
  removal: 'delete',
  list: (call) => call.client.list('/agents', call),
  listIsComplete: true,

  replace: 'createFirst',
  lostCreate: { by: 'mark' },

  name: ({ name }) => String(name),
  declare: ({ remote }, index) => ({
    ...saidOf({ description: remote['description'] }),
    model: String(remote['model']),
    instructions: String(remote['system']),
    ...saidOf({
      environment: index.name('environment', String(remote['environment_id'])),
      vault: index.name('vault', String(remote['vault_id'])),
      skills: skillsOf(remote['skill_ids'], index),
      tools: Array.isArray(remote['tools']) && remote['tools'].length > 0 ? { builtin: remote['tools'] } : undefined,
      metadata: ownMetadata(remote['metadata']),
    }),
  }),
}

/**
 * Returns the skills, by name where the file declares the skill, by id otherwise.
 * @param {unknown} ids
 * @param {RemoteIndex} index
 */
const skillsOf = (ids, index) =>
  (Array.isArray(ids) ? ids : []).map((id) => index.name('skill', id) ?? { type: 'custom', skill_id: String(id) })

export const agent = handler(typed)
