// Environments: cloud runtimes that sessions run in (agent configuration 2.5).
import { patchBody } from '../../core/plugin/body.js'
import { type Blocker, type Call, type FieldTable, handler } from '../../core/plugin/handler.js'
import type { EnvironmentBody } from '../kinds/environment.js'
import { calls, createdAtMs, idOutput, isArchived, item } from './answers.js'
import { type ClaudeClient, paging } from './client.js'
import { desiredConfig, observedConfig } from './environment-config.js'

const { read, create, update, remove, list } = calls('/environments')

const fields: FieldTable = {
  description: { clear: null },
  'config/type': { immutable: true },
  'config/networking/allowed_hosts': { unordered: true },
  'config/packages': { unordered: true },
  metadata: { map: 'patchNull' },
}

export const environment = handler<ClaudeClient, EnvironmentBody>({
  kind: 'environment',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    config: desiredConfig(body.config),
    metadata: body.metadata,
  }),
  observed: ({ name, description, config, metadata }) => ({
    name,
    description,
    config: observedConfig(config),
    metadata,
  }),
  outputs: idOutput,
  isGone: isArchived,
  createdAtMs,

  read,
  create: (call, { desired }) => create(call, desired),
  update: (call, request) => update(call, request.id, patchBody(fields, request)),
  remove,
  removal: 'delete',
  list,
  listIsComplete: true,
  blockers: sessionsIn,

  replace: 'createFirst',
  lostCreate: { by: 'mark' },
})

/** Live sessions keep their environment from being deleted. */
async function sessionsIn(
  { client, signal }: Call<ClaudeClient>,
  id: string,
): Promise<readonly Blocker<ClaudeClient>[]> {
  const blockers: Blocker<ClaudeClient>[] = []
  for await (const session of client.list('/sessions', { signal }, paging)) {
    if (session['environment_id'] !== id || isArchived(session) || session['status'] === 'terminated') continue
    const path = item('/sessions', String(session['id']))
    blockers.push({
      label: `session ${String(session['id'])} (${String(session['status'])})`,
      async end(call) {
        const options = { signal: call.signal }
        if (session['status'] === 'running')
          await call.client.update(`${path}/events`, { events: [{ type: 'user.interrupt' }] }, options)
        await call.client.update(`${path}/archive`, {}, options)
      },
    })
  }
  return blockers
}
