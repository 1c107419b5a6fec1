// Channels: messaging channels bound to an identity and a template, or to neither (agent configuration 2.3).
import { handler, type LeafChange } from '../../../core/plugin/handler.js'
import type { Scope } from '../../../core/plugin/scope.js'
import type { JsonObject, Tree } from '../../../core/value/tree.js'
import { type LeafPath, leafKeys, leafPath } from '../../../core/value/tree.js'
import type { ChannelBody } from '../../kinds/channel.js'
import { objectOf, textOf } from '../../shared/wire.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { calledName } from '../declared.js'
import { channelBody, responseDefaults } from '../declared-channel.js'
import { createdAtMs, idOf, item } from '../wire.js'

export const channel = handler<QoderClient, ChannelBody>({
  kind: 'channel',
  support: { reason: 'types with credentials; others are bound by QR code' },
  api: 'forward',
  form: 1,
  fields: {
    channel_type: { label: 'type', immutable: true },
    mode: { immutable: true },
    identity_id: { label: 'identity' },
    template_id: { label: 'agent' },
    response_options: { label: 'options' },
    'response_options/include_tool_calls': { label: 'options.include_tool_calls' },
    'response_options/include_thinking': { label: 'options.include_thinking' },
    credentials: { secret: true, writeOnly: true },
    // What requests put the last two in; the server keeps the members that they lack.
    channel_config: { map: 'patchNull' },
  },

  desired: ({ name, body }, scope) => ({
    channel_type: body.type,
    mode: body.mode ?? 'fixed',
    ...(body.mode === 'pairing' ? {} : bindingOf(body, scope)),
    name: body.name ?? name,
    enabled: body.enabled ?? true,
    response_options: { ...responseDefaults, ...body.options },
    credentials: body.credentials,
  }),
  observed: (remote) => ({
    channel_type: remote['channel_type'],
    mode: textOf(objectOf(remote['identity_resolution'])['mode']) || 'fixed',
    identity_id: remote['identity_id'],
    template_id: remote['template_id'],
    name: remote['name'],
    enabled: remote['enabled'] !== false,
    response_options: { ...responseDefaults, ...objectOf(objectOf(remote['channel_config'])['response_options']) },
  }),
  outputs: (remote) => ({ id: idOf(remote) }),
  createdAtMs,

  read: ({ client, signal }, id) => client.forward.get(item('/channels', id), { signal }),
  create: (call, { desired, nonce }) => {
    const { channel_type, mode, identity_id, template_id, name, enabled, response_options, credentials } = desired
    const isPairing = mode === 'pairing'
    const body = {
      channel_type,
      ...(isPairing ? { identity_resolution: { mode } } : { identity_id, template_id }),
      name,
      enabled,
      channel_config: { credentials, response_options },
    }
    return call.client.forward.create('/channels', body, idempotent(call, nonce))
  },
  update: ({ client, signal }, { id, desired, changes }) =>
    client.forward.update(item('/channels', id), updateBody(desired, changes), { signal }),
  remove: async ({ client, signal }, id) => void (await client.forward.delete(item('/channels', id), { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.forward.list('/channels', { signal }, paging),
  listIsComplete: true,

  // Two channels cannot share credentials, so the old one is deleted first.
  replace: 'deleteFirst',
  identifiedBy,
  lostCreate: {
    by: 'match',
    matches: (remote, desired) =>
      remote['channel_type'] === desired['channel_type'] && remote['name'] === desired['name'],
  },
  name: calledName,
  declare: ({ remote }, index): JsonObject | undefined => channelBody(channel.observed(remote), index),
})

/** Returns the paths of credentials without the secret, which may be rotated during a rename. */
function identifiedBy({ credentials }: Tree): readonly LeafPath[] {
  const names = Object.keys(objectOf(credentials)).filter((name) => !name.includes('secret'))
  return names.length === 0 ? [] : ['channel_type', ...names.map((name) => leafPath(['credentials', name]))]
}

function bindingOf({ agent, identity }: ChannelBody, scope: Scope): Tree {
  const name = identity ?? scope.project.defaults.identity
  return {
    identity_id: name === undefined ? undefined : scope.output('identity', name),
    template_id: agent === undefined ? undefined : scope.output('agent', agent),
  }
}

/** Returns the changed members. Members of `channel_config` are changed one by one. */
function updateBody(desired: Tree, changes: readonly LeafChange[]): JsonObject {
  const changed = new Set(changes.map(({ path }) => leafKeys(path)[0] ?? ''))
  const pick = (members: readonly string[]) =>
    Object.fromEntries(members.filter((member) => changed.has(member)).map((member) => [member, desired[member]]))
  const config = pick(['credentials', 'response_options'])
  return {
    ...pick(['identity_id', 'template_id', 'name', 'enabled']),
    ...(Object.keys(config).length > 0 ? { channel_config: config } : {}),
  }
}
