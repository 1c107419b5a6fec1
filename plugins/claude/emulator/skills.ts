// Emulated skills: packages with versions, in the form that the caller's beta header selects.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import {
  type Collection,
  type EmulatedRequest,
  type EmulatorContext,
  type Route,
  refuse,
  seeding,
} from '../../emulator/contract.js'
import type { Store, StoredObject } from '../../emulator/store.js'
import { list, removeObject, requireObject, timeText } from './objects.js'
import { call, exact, listed, nullable, optional, query, text } from './schema.js'
import { readPackage, type SkillPackage } from './skill-package.js'
import { addVersion, isOldShape, newestVersion } from './skill-versions.js'

function insert(context: EmulatorContext, title: string | undefined, content: SkillPackage, id: string): StoredObject {
  const now = timeText(context.nowMs)
  const skill = context.store.insert({
    id,
    collection: 'skill',
    createdAtMs: context.nowMs,
    body: { id, type: 'skill', display_title: title ?? null, source: 'custom', created_at: now, updated_at: now },
    hidden: { name: content.name },
  })
  addVersion(context, id, content)
  return skill
}

function responseBody(
  { id, body, hidden }: StoredObject,
  store: Store,
  request: Pick<EmulatedRequest, 'headers'>,
): JsonObject {
  const newest = newestVersion(store, id)
  const { display_title: title, source, ...rest } = body
  if (isOldShape(request))
    return { ...rest, display_title: title, source, latest_version: newest?.body['version'] ?? null }
  return {
    ...rest,
    display_name: title ?? hidden['name'] ?? null,
    source: { type: source ?? 'custom' },
    latest_version_id: newest?.id ?? null,
  }
}

const Seed = exact({
  name: Type.String({ minLength: 1 }),
  description: optional(text()),
  display_title: optional(text()),
})

function seedOne(
  context: EmulatorContext,
  seed: Static<typeof Seed>,
  id = context.store.newId('skill_01'),
): StoredObject {
  const { name, description = '', display_title } = seed
  const manifest = Buffer.from(`---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n`)
  return insert(
    context,
    display_title ?? name,
    { name, description, files: new Map([[`${name}/SKILL.md`, manifest]]) },
    id,
  )
}

/** Creates the skills that every account has. */
export function seedCatalogue(context: EmulatorContext): void {
  for (const id of ['docx', 'pdf', 'pptx', 'xlsx']) {
    const skill = seedOne(context, { name: id }, id)
    context.store.put({ ...skill, isCatalogue: true, body: { ...skill.body, source: 'anthropic' } })
  }
}

function custom(store: Store, id: string | undefined): StoredObject {
  const skill = requireObject(store, 'skill', id)
  if (skill.isCatalogue) throw refuse('forbidden', 'official skills cannot be changed')
  return skill
}

export const skillRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/skills',
    isForm: true,
    body: exact({ display_name: optional(nullable(text())), display_title: optional(text()) }),
    handle(request) {
      const { store, body, files } = request
      const title = body.display_name ?? body.display_title
      const skill = insert(request, title, readPackage(files), store.newId('skill_01'))
      return { body: responseBody(skill, store, request) }
    },
  }),
  call({
    method: 'GET',
    path: '/skills',
    query: query({ ...listed, source: optional(Type.Enum(['custom', 'anthropic'])) }),
    handle(request) {
      const { store, query } = request
      const skills = [...store.all('skill')].filter(
        ({ body }) => query.source === undefined || body['source'] === query.source,
      )
      return list(skills, query, { show: (skill) => responseBody(skill, store, request) })
    },
  }),
  call({
    method: 'GET',
    path: '/skills/:id',
    handle: (request) => ({
      body: responseBody(requireObject(request.store, 'skill', request.params['id']), request.store, request),
    }),
  }),
  call({
    method: 'DELETE',
    path: '/skills/:id',
    handle(request) {
      const skill = custom(request.store, request.params['id'])
      if (isOldShape(request) && newestVersion(request.store, skill.id))
        throw refuse('invalid', 'delete the versions of the skill first')
      return removeObject(skill, request.store, 'skill_deleted')
    },
  }),
]

export const skillCollection: Collection = {
  kind: 'skill',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body, hidden }) => String(body['display_title'] ?? hidden['name']),
  seeding: seeding({ schema: Seed, defaults: { name: 'seeded' }, create: seedOne }),
}
