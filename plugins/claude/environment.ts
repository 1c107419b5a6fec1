// Environments: cloud runtimes that sessions run in (agent configuration 2.5).
import { patchBody } from '../../core/plugin/body.js'
import { type Blocker, type Call, type FieldTable, type Handler, handler } from '../../core/plugin/handler.js'
import type { EnvironmentBody } from '../kinds/environment.js'
import { item } from '../shared/collection.js'
import { declaredEnvironment } from '../shared/declared.js'
import { calledName, collection, isArchived } from './answers.js'
import { type ClaudeClient, paging } from './client.js'
import { desiredConfig, observedConfig } from './environment-config.js'
import { archiveSession } from './session-end.js'

const fields: FieldTable = {
  description: { clear: null },
  'config/type': { immutable: true },
  'config/networking/allowed_hosts': { unordered: true },
  'config/packages': { unordered: true },
  metadata: { map: 'patchNull' },
}

export const environment: Handler<ClaudeClient> = handler<ClaudeClient, EnvironmentBody>({
  ...collection('/environments'),
  kind: 'environment',
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

  update: ({ client, signal }, request) =>
    client.update(item('/environments', request.id), patchBody(fields, request), { signal }),
  blockers: sessionsIn,

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index) => declaredEnvironment(environment.observed(remote), index),
})

/** Statuses of sessions that live. Asking for them spares the pages of those that ended, which stay for good. */
const living = ['idle', 'running', 'rescheduling']

/** Returns live sessions of an environment, which block its deletion. */
async function sessionsIn(
  { client, signal }: Call<ClaudeClient>,
  environmentId: string,
): Promise<readonly Blocker<ClaudeClient>[]> {
  const blockers: Blocker<ClaudeClient>[] = []
  for await (const session of client.list('/sessions', { signal, query: { 'statuses[]': living } }, paging)) {
    if (session['environment_id'] !== environmentId || isArchived(session) || session['status'] === 'terminated')
      continue
    const id = String(session['id'])
    blockers.push({ label: `session ${id} (${String(session['status'])})`, end: (call) => archiveSession(call, id) })
  }
  return blockers
}
