// Emulated skills: packages with versions, whose bytes cannot be downloaded.

import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { type Api, skillCollections } from './names.js'
import { type Context, change, exact, find, make, touched } from './object.js'
import { readPackage, type SkillPackage } from './packages.js'

const versions = 'skill_versions'

/** Form fields of the older API. They are ignored, because SKILL.md contains the same data. */
const Form = Type.Object(
  {
    name: Type.Optional(Type.String()),
    type: Type.Optional(Type.Literal('custom')),
    description: Type.Optional(Type.String()),
  },
  exact,
)
const Seed = Type.Object(
  {
    display_title: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.String()),
    source: Type.Optional(Type.Enum(['custom', 'qoder'])),
  },
  exact,
)
const Source = Type.Optional(Type.Enum(['custom', 'qoder']))

export function skillRoutes(api: Api): readonly Route[] {
  const collection = skillCollections[api]
  return [
    route({
      method: 'POST',
      path: '/skills',
      isForm: true,
      body: Form,
      handle: once(`${api} skills`, (request) => {
        const uploads = uploadsOf(request, ['files', 'file'])
        const isOldForm = uploads.some(({ field }) => field === 'file')
        const read = readPackage(uploads, { isOldForm })
        const skill = makeSkill(api, request, { display_title: read.name, description: read.description })
        return {
          status: 201,
          body: addVersion(request, skill, read).body,
          ...(isOldForm ? { headers: { deprecation: 'true' } } : {}),
        }
      }),
    }),
    route({
      method: 'GET',
      path: '/skills',
      query: listQuery('both', { source: Source, display_title: Type.Optional(Type.String()) }),
      handle(request) {
        const { store, query } = request
        const isMeant = ({ body }: StoredObject) =>
          (query.source === undefined || body['source'] === query.source) &&
          (query.display_title === undefined || String(body['display_title']).startsWith(query.display_title))
        return list([...store.all(collection)].filter(isMeant), request, { cursors: 'both' })
      },
    }),
    route({
      method: 'GET',
      path: '/skills/:id',
      handle: (request) => ({ body: find(request, collection, request.params['id']).body }),
    }),
    route({
      method: 'DELETE',
      path: '/skills/:id',
      handle(request) {
        const current = findCustom(request, collection)
        request.store.remove(current)
        return api === 'forward' ? { status: 204 } : { body: { id: current.id, type: 'skill_deleted', deleted: true } }
      },
    }),
    route({
      method: 'POST',
      path: '/skills/:id/versions',
      isForm: true,
      body: Type.Object({}, exact),
      handle: once(`${api} skill versions`, (request) => {
        const current = findCustom(request, collection)
        const read = readPackage(uploadsOf(request, ['files']))
        if (read.name !== current.body['display_title'])
          throw refuse('invalid', `files: the skill is called "${current.body['display_title']}"`, { param: 'files' })
        const skill = addVersion(request, current, read)
        return { status: 201, body: find(request, versions, versionId(skill)).body }
      }),
    }),
    route({
      method: 'GET',
      path: '/skills/:id/versions',
      query: listQuery('token', {}),
      handle(request) {
        const current = find(request, collection, request.params['id'])
        return list(request.store.childrenOf(versions, current.id), request, { cursors: 'token' })
      },
    }),
  ]
}

export function skillCollection(api: Api): Collection {
  return {
    kind: 'skill',
    api,
    isTopLevel: true,
    isPermanent: false,
    name: ({ body }) => String(body['display_title']),
    touched,
    seeding: seeding({
      schema: Seed,
      defaults: { display_title: 'seeded-skill' },
      create: (context, body, id) => makeSkill(api, context, body, id),
    }),
  }
}

export const skillVersionCollection: Collection = { kind: 'skill_version', isTopLevel: false, isPermanent: false }

function makeSkill(api: Api, context: Context, seed: Static<typeof Seed>, id?: string): StoredObject {
  const { display_title: title, description = '', source = 'custom' } = seed
  const collection = skillCollections[api]
  const isTaken = [...context.store.all(collection)].some(({ body }) => body['display_title'] === title)
  if (isTaken) throw refuse('conflict', `a skill named "${title}" already exists`, { code: 'skill_name_taken' })
  return make(context, {
    collection,
    prefix: 'skill_',
    id,
    body: {
      type: 'skill',
      display_title: title,
      description,
      source,
      latest_version: source === 'custom' ? '1' : '20261001',
      metadata: {},
      ...(api === 'forward' ? { identity_id: null, binding_info: { template_count: 0 } } : {}),
    },
    hidden: { versions: 0 },
  })
}

function addVersion(context: Context, skill: StoredObject, read: SkillPackage): StoredObject {
  const number = Number(skill.hidden['versions'] ?? 0) + 1
  const changed = change(
    context,
    skill,
    { description: read.description, latest_version: String(number) },
    { versions: number },
  )
  make(context, {
    collection: versions,
    prefix: 'skillver_',
    id: versionId(changed),
    parent: skill.id,
    body: versionBody(skill.id, String(number), read),
  })
  return changed
}

function versionBody(skillId: string, version: string, read: SkillPackage): JsonObject {
  return {
    type: 'skill_version',
    skill_id: skillId,
    version,
    name: read.name,
    description: read.description,
    directory: read.name,
    content_size: read.sizeBytes,
    content_sha256: read.sha256,
    status: 'ready',
  }
}

function versionId({ id, body }: StoredObject): string {
  return `${id}_v${body['latest_version']}`
}

/** Finds a custom skill. Skills of the service can be used but not changed. */
function findCustom(request: EmulatedRequest, collection: string): StoredObject {
  const found = find(request, collection, request.params['id'])
  if (found.body['source'] !== 'custom') throw refuse('forbidden', 'this skill belongs to the service')
  return found
}

function uploadsOf({ files }: EmulatedRequest, fields: readonly string[]) {
  const unknown = files.find(({ field }) => !fields.includes(field))
  if (unknown) throw refuse('invalid', `${unknown.field}: unknown field`, { param: unknown.field })
  return files
}
