// Emulated channels: bound to an identity and a template, or to neither; their credentials are never returned.

import { type Static, Type } from 'typebox'
import { AnyJson } from '../../../core/plugin/schema.js'
import { canonical, isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { channels, identities, templates } from './names.js'
import { type Context, change, exact, find, make, requireNamed, touched } from './object.js'

/**
 * Credentials by type of channel; the first one identifies the account. Types without an entry are bound by QR code.
 */
const credentialsOf: Readonly<Record<string, readonly [string, string]>> = {
  dingtalk: ['client_id', 'client_secret'],
  feishu: ['app_id', 'app_secret'],
  wecom: ['bot_id', 'secret'],
}

const Config = Type.Object(
  {
    credentials: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1 }))),
    response_options: Type.Optional(Type.Record(Type.String(), AnyJson())),
  },
  exact,
)
const Create = Type.Object(
  {
    channel_type: Type.Enum(['dingtalk', 'feishu', 'wecom', 'wechat', 'teams']),
    identity_resolution: Type.Optional(Type.Object({ mode: Type.Literal('pairing') }, exact)),
    identity_id: Type.Optional(Type.String()),
    template_id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ minLength: 1 })),
    enabled: Type.Optional(Type.Boolean()),
    channel_config: Type.Optional(Config),
  },
  exact,
)
const Update = Type.Object(
  {
    identity_id: Type.Optional(Type.String()),
    template_id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String({ minLength: 1 })),
    enabled: Type.Optional(Type.Boolean()),
    channel_config: Type.Optional(Config),
  },
  exact,
)

export const channelRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/channels',
    body: Create,
    handle: once('channels', (request) => ({ status: 201, body: makeChannel(request, request.body).body })),
  }),
  route({
    method: 'GET',
    path: '/channels',
    query: listQuery('id', {
      channel_type: Type.Optional(Type.String()),
      enabled: Type.Optional(Type.Enum(['true', 'false'])),
      binding_status: Type.Optional(Type.String()),
      identity_id: Type.Optional(Type.String()),
      template_id: Type.Optional(Type.String()),
    }),
    handle(request) {
      const filters = ['channel_type', 'enabled', 'binding_status', 'identity_id', 'template_id'] as const
      const isMeant = ({ body }: StoredObject) =>
        filters.every((name) => request.query[name] === undefined || String(body[name]) === request.query[name])
      return list([...request.store.all(channels)].filter(isMeant), request, { cursors: 'id' })
    },
  }),
  route({
    method: 'GET',
    path: '/channels/:id',
    handle: (request) => ({ body: find(request, channels, request.params['id']).body }),
  }),
  route({
    method: 'POST',
    path: '/channels/:id',
    body: Update,
    handle(request) {
      const { channel_config: config, ...plain } = request.body
      const current = find(request, channels, request.params['id'])
      const isPairing = modeOf(current.body) === 'pairing'
      if (isPairing && (plain.identity_id ?? plain.template_id) !== undefined)
        throw refuse('invalid', 'identity_id: a pairing channel is bound to none', { param: 'identity_id' })
      checkBinding(request, plain)
      if (plain.name !== undefined) refuseTakenName(request, plain.name, current.id)
      const credentials = config?.credentials
      if (credentials) checkCredentials(request, String(current.body['channel_type']), credentials, current.id)
      const options = config?.response_options
      const changed = change(
        request,
        current,
        { ...plain, ...(options ? { channel_config: { response_options: options } } : {}) },
        credentials ? { credentials } : {},
      )
      return { body: changed.body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/channels/:id',
    handle(request) {
      const current = find(request, channels, request.params['id'])
      request.store.remove(current)
      return { body: { id: current.id, deleted: true } }
    },
  }),
]

export const channelCollection: Collection = {
  kind: 'channel',
  api: 'forward',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({
    schema: Create,
    defaults: { channel_type: 'wechat', identity_resolution: { mode: 'pairing' }, name: 'seeded channel' },
    create: makeChannel,
  }),
}

function makeChannel(context: Context, request: Static<typeof Create>, id?: string): StoredObject {
  const { channel_type: type, identity_resolution: resolution, enabled = true, channel_config: config } = request
  const { identity_id: identity, template_id: template, name = type } = request
  const mode = resolution?.mode ?? 'fixed'
  const isBound = identity !== undefined || template !== undefined
  if (mode === 'pairing' && isBound) throw refuse('invalid', 'identity_id: a pairing channel is bound to none')
  if (mode === 'fixed' && (identity === undefined || template === undefined))
    throw refuse('invalid', 'identity_id, template_id: field required', { param: 'identity_id' })
  checkBinding(context, request)
  refuseTakenName(context, name, undefined)
  const credentials = config?.credentials ?? {}
  checkCredentials(context, type, credentials, undefined)
  return make(context, {
    collection: channels,
    prefix: 'channel_',
    id,
    body: {
      type: 'channel',
      channel_type: type,
      identity_resolution: { mode },
      identity_id: identity ?? null,
      template_id: template ?? null,
      name,
      enabled,
      binding_status: credentialsOf[type] ? 'bound' : 'unbound',
      channel_config: {
        response_options: { include_tool_calls: false, include_thinking: false, ...config?.response_options },
      },
    },
    hidden: { credentials },
  })
}

function checkBinding(context: Context, { identity_id, template_id }: Static<typeof Update>): void {
  if (identity_id !== undefined) requireNamed(context, [identities], identity_id, 'identity_id')
  if (template_id !== undefined) requireNamed(context, [templates], template_id, 'template_id')
}

function checkCredentials({ store }: Context, type: string, credentials: JsonObject, own: string | undefined): void {
  const needed = credentialsOf[type]
  const param = 'channel_config.credentials'
  if (!needed) {
    if (Object.keys(credentials).length > 0) throw refuse('invalid', `${param}: ${type} has none`, { param })
    return
  }
  if (canonical(Object.keys(credentials).sort()) !== canonical([...needed].sort()))
    throw refuse('invalid', `${param}: ${type} needs ${needed.join(' and ')}`, { param })
  const [who] = needed
  const other = [...store.all(channels)].find(({ id, body, hidden }) => {
    const current = isObject(hidden['credentials']) ? hidden['credentials'] : {}
    return id !== own && body['channel_type'] === type && current[who] === credentials[who]
  })
  if (other)
    throw refuse('conflict', `${other.id} already uses these credentials`, { code: 'CHANNEL_CREDENTIAL_CONFLICT' })
}

function refuseTakenName({ store }: Context, name: string, own: string | undefined): void {
  const isTaken = [...store.all(channels)].some(({ id, body }) => id !== own && body['name'] === name)
  if (isTaken) throw refuse('conflict', `a channel named "${name}" already exists`, { code: 'channel_name_taken' })
}

function modeOf(body: JsonObject): unknown {
  return isObject(body['identity_resolution']) ? body['identity_resolution']['mode'] : undefined
}
