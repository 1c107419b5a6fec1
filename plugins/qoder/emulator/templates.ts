// Emulated templates, the agents of the forward API: unique names, archived instead of deleted, and no managed tool unless one
// is requested.

import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import {
  builtinToolset,
  checkShared,
  emptyShared,
  hasBuiltinToolset,
  Model,
  Name,
  normalShared,
  normalTool,
  sharedMembers,
} from './agent-shapes.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { dropSystemMounts } from './mounts.js'
import {
  environmentCollections,
  fileCollections,
  skillCollections,
  templates,
  tunnels,
  vaultCollections,
} from './names.js'
import {
  activeWhere,
  archive,
  type Context,
  change,
  exact,
  find,
  findActive,
  make,
  requireNamed,
  touched,
} from './object.js'

const clearable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Switches by id: true if the switch is on. */
const Switches = Type.Record(Type.String(), Type.Object({ enabled: Type.Optional(Type.Boolean()) }, exact))

const Roster = Type.Object(
  {
    type: Type.Literal('coordinator'),
    agents: Type.Array(
      Type.Object(
        {
          type: Type.Literal('agent'),
          template_id: Type.String({ minLength: 1 }),
          name: Type.Optional(Type.String()),
        },
        exact,
      ),
      { minItems: 1, maxItems: 20 },
    ),
  },
  exact,
)

const members = {
  ...sharedMembers,
  multiagent: clearable(Roster),
  vaults: clearable(Switches),
  vault_ids: clearable(Type.Array(Type.String())),
  files: clearable(Switches),
  environment_variables: clearable(Type.Union([Type.Record(Type.String(), Type.String()), Type.String()])),
  tunnel_id: clearable(Type.String()),
  managed_tool_config: Type.Optional(Type.Object({ enabled_tools: Type.Array(Type.String()) }, exact)),
}
const Create = Type.Object(
  {
    ...members,
    name: Name,
    model: Model,
    environment_id: Type.String({ minLength: 1 }),
    metadata: Type.Optional(Metadata),
  },
  exact,
)
const Update = Type.Object(
  {
    ...members,
    name: Type.Optional(Name),
    model: Type.Optional(Model),
    environment_id: clearable(Type.String()),
    metadata: Type.Optional(MetadataPatch),
  },
  exact,
)

export const templateRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/templates',
    body: Create,
    handle: once('templates', (request) => ({ status: 201, body: makeTemplate(request, request.body).body })),
  }),
  route({
    method: 'GET',
    path: '/templates',
    query: listQuery('id', { status: Type.Optional(Type.Enum(['active', 'archived'])) }),
    handle(request) {
      const { status } = request.query
      const found = [...request.store.all(templates)].filter(
        ({ body }) => status === undefined || body['status'] === status,
      )
      const query = status === 'archived' ? { ...request.query, include_archived: 'true' } : request.query
      return list(found, { ...request, query }, { cursors: 'id' })
    },
  }),
  route({
    method: 'GET',
    path: '/templates/:id',
    handle: (request) => ({ body: find(request, templates, request.params['id']).body }),
  }),
  route({
    method: 'POST',
    path: '/templates/:id',
    body: Update,
    handle: (request) => ({ body: update(request, request.body).body }),
  }),
  route({
    method: 'POST',
    path: '/templates/:id/archive',
    handle(request) {
      const current = archive(request, find(request, templates, request.params['id']))
      dropSystemMounts(request, ({ template_id }) => template_id === current.id)
      return { body: change(request, current, { status: 'archived' }).body }
    },
  }),
]

export const templateCollection: Collection = {
  kind: 'agent',
  api: 'forward',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({
    schema: Type.Object({ ...Create.properties, environment_id: Type.Optional(Type.String()) }, exact),
    defaults: { name: 'seeded template', model: 'auto' },
    create: makeTemplate,
  }),
}

type NewTemplate = Omit<Static<typeof Create>, 'environment_id'> & { readonly environment_id?: string }

function makeTemplate(context: Context, request: NewTemplate, id?: string): StoredObject {
  const { name, model, environment_id: environment, metadata } = request
  refuseTaken(context, name, undefined)
  const body = withDelegation({
    type: 'template',
    ...emptyShared(),
    multiagent: null,
    vaults: {},
    vault_ids: [],
    files: {},
    environment_variables: {},
    tunnel_id: null,
    managed_tool_config: { enabled_tools: [] },
    ...changesOf(request),
    name,
    model,
    environment_id: environment ?? null,
    metadata: checkedMetadata(metadata),
    status: 'active',
    archived_at: null,
  })
  checkTemplate(context, body)
  return make(context, { collection: templates, prefix: 'tmpl_', id, body })
}

function update(request: EmulatedRequest, { metadata, ...rest }: Static<typeof Update>): StoredObject {
  const current = findActive(request, templates, request.params['id'])
  const { name, model, environment_id: environment } = rest
  if (name !== undefined) refuseTaken(request, name, current.id)
  const body = withDelegation({
    ...current.body,
    ...changesOf(rest),
    ...(name === undefined ? {} : { name }),
    ...(model === undefined ? {} : { model }),
    ...(environment === undefined ? {} : { environment_id: environment || null }),
    ...(metadata ? { metadata: patchedMetadata(current.body['metadata'], metadata, { deletes: [null, ''] }) } : {}),
  })
  checkTemplate(request, body)
  return change(request, current, body)
}

type Changes = Omit<Static<typeof Update>, 'metadata' | 'name' | 'model' | 'environment_id'>

/** Returns the members of a request in visible form: all switches listed, variables as a map. */
function changesOf(request: Changes): JsonObject {
  const { multiagent, vaults, vault_ids: ids, files, environment_variables: variables, tunnel_id: tunnel } = request
  const shared = normalShared(request)
  const vaultSwitches =
    vaults === undefined && ids !== undefined ? Object.fromEntries((ids ?? []).map((id) => [id, {}])) : vaults
  return {
    ...shared,
    ...(shared['skills'] === undefined
      ? {}
      : { skills: objects(shared['skills']).map((skill) => ({ enabled: true, ...skill })) }),
    ...(multiagent === undefined ? {} : { multiagent }),
    ...(vaultSwitches === undefined
      ? {}
      : { vaults: switched(vaultSwitches), vault_ids: Object.keys(vaultSwitches ?? {}) }),
    ...(files === undefined ? {} : { files: switched(files) }),
    ...(variables === undefined ? {} : { environment_variables: variablesOf(variables) }),
    ...(tunnel === undefined ? {} : { tunnel_id: tunnel }),
    ...(request.managed_tool_config ? { managed_tool_config: request.managed_tool_config } : {}),
  }
}

function switched(switches: Static<typeof Switches> | null): JsonObject {
  return Object.fromEntries(Object.entries(switches ?? {}).map(([id, { enabled = true }]) => [id, { enabled }]))
}

function variablesOf(given: string | Readonly<Record<string, string>> | null): JsonObject {
  if (typeof given !== 'string') return { ...given }
  const pairs = given.split(';').filter((pair) => pair.includes('='))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/** Adds the toolset for delegation to a coordinator that lacks it. */
function withDelegation(body: JsonObject): JsonObject {
  if (!isObject(body['multiagent']) || hasBuiltinToolset(body)) return body
  const tools = Array.isArray(body['tools']) ? body['tools'] : []
  return { ...body, tools: [normalTool({ type: builtinToolset }), ...tools] }
}

function checkTemplate(context: Context, body: JsonObject): void {
  checkShared(context, skillCollections.forward, body)
  const environment = body['environment_id']
  if (typeof environment === 'string')
    requireNamed(context, Object.values(environmentCollections), environment, 'environment_id')
  const tunnel = body['tunnel_id']
  if (typeof tunnel === 'string') requireNamed(context, [tunnels], tunnel, 'tunnel_id')
  for (const id of keys(body['vaults'])) requireNamed(context, [vaultCollections.forward], id, 'vaults')
  for (const id of keys(body['files'])) requireNamed(context, [fileCollections.forward], id, 'files')
  const roster = isObject(body['multiagent']) ? objects(body['multiagent']['agents']) : []
  for (const member of roster) requireNamed(context, [templates], String(member['template_id']), 'multiagent.agents')
}

function refuseTaken(context: Context, name: string, own: string | undefined): void {
  const others = activeWhere(context, templates, ({ id, body }) => id !== own && body['name'] === name)
  if (others.length > 0)
    throw refuse('conflict', `a template named "${name}" already exists`, { code: 'template_name_taken' })
}

function keys(value: Json | undefined): readonly string[] {
  return isObject(value) ? Object.keys(value) : []
}

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
