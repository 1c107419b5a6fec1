// Emulated skills: registered from an uploaded archive, versioned, scanned version by version.
import { unzipSync } from 'fflate'
import { type Static, Type } from 'typebox'
import { parse } from 'yaml'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { found, iso, listed, merged } from './objects.js'
import { newScan, type ScanState, scannedOnce, scanState } from './scans.js'
import { Exact, ListQuery, listQuery, Maybe } from './schema.js'

const Registration = Exact({ file_id: Type.String({ minLength: 1 }) })

/** Names of the states in the reference and at the service; the knob `skillWords` selects between them. */
const words: Readonly<Record<string, Readonly<Record<ScanState, string>>>> = {
  reference: { pending: 'checking', clean: 'active', refused: 'rejected' },
  live: { pending: 'security_scanning', clean: 'active', refused: 'unsafe' },
}

export const officialSkills = ['bailian-cli', 'docx', 'pdf', 'pptx', 'xlsx'] as const

/** Schema of skills that tests add as the service's own; all others are uploaded through the API. */
const Seed = Exact({ name: Type.String({ minLength: 1 }), description: Maybe(Type.String()) })

export const skills: Collection = {
  kind: 'skill',
  isTopLevel: true,
  isPermanent: false,
  isArchived: ({ body }) => body['status'] === 'deleted',
  seeding: seeding({
    schema: Seed,
    defaults: { name: 'seeded' },
    create: (context, { name, description = '' }, id = name) => official(context, { id, name, description }),
  }),
}

export const skillVersions: Collection = { kind: 'skill_version', isTopLevel: false, isPermanent: false }

export const skillRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/skills',
    body: Registration,
    handle(request) {
      const content = registered(request, request.body)
      const id = request.store.newId('skill_', 24)
      const skill = request.store.insert({
        id,
        collection: 'skills',
        createdAtMs: request.nowMs,
        body: {
          id,
          type: 'skill',
          ...content.facts,
          source: 'customer',
          created_at: iso(request.nowMs),
          updated_at: iso(request.nowMs),
        },
      })
      addVersion(request, skill, content)
      return { body: refreshed(request, skill).body }
    },
  }),
  route({
    method: 'GET',
    path: '/skills',
    query: Exact({ ...listQuery, source: Maybe(Type.Enum(['official', 'customer'])) }),
    handle(request) {
      const { source = 'customer', ...query } = request.query
      const shown = [...request.store.all('skills')].filter(
        ({ body }) => body['source'] === source && body['status'] !== 'deleted',
      )
      return listed(shown, query)
    },
  }),
  route({
    method: 'GET',
    path: '/skills/:id',
    handle(request) {
      const skill = found(request, 'skills', request.params['id'])
      for (const version of [...request.store.childrenOf('skill_versions', skill.id)])
        request.store.put(withStatus(request, scannedOnce(version)))
      return { body: refreshed(request, skill).body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/skills/:id',
    handle(request) {
      const skill = customer(request, request.params['id'])
      merged(request, skill, { status: 'deleted' })
      return { body: { id: skill.id, type: 'skill_deleted' } }
    },
  }),
  route({
    method: 'POST',
    path: '/skills/:id/versions',
    body: Registration,
    handle(request) {
      const skill = customer(request, request.params['id'])
      const content = registered(request, request.body)
      const version = addVersion(request, merged(request, skill, content.facts), content)
      refreshed(request, found(request, 'skills', skill.id))
      return { body: version.body }
    },
  }),
  route({
    method: 'GET',
    path: '/skills/:id/versions',
    query: ListQuery,
    handle(request) {
      const { id } = found(request, 'skills', request.params['id'])
      return listed(request.store.childrenOf('skill_versions', id), request.query)
    },
  }),
  route({
    method: 'GET',
    path: '/skills/:id/versions/:version',
    handle: (request) => ({
      body: versionOf(request, request.params['id'] ?? '', request.params['version'] ?? '').body,
    }),
  }),
  ...(['content', 'download'] as const).map((word) => downloadRoute(word)),
]

/** Returns the download route; two sources document different paths, and knob `skillDownload` selects one. */
function downloadRoute(word: string): Route {
  return route({
    method: 'GET',
    path: `/skills/:id/versions/:version/${word}`,
    handle(request) {
      if (request.ownKnobs['skillDownload'] !== word) throw refuse('notFound', `no such path: ${word}`)
      const { hidden } = versionOf(request, request.params['id'] ?? '', request.params['version'] ?? '')
      if (hidden['bytes'] === undefined) throw refuse('forbidden', 'official skills cannot be downloaded')
      return { bytes: Buffer.from(String(hidden['bytes']), 'base64') }
    },
  })
}

/** Creates the built-in catalogue. */
export function seedSkills(context: EmulatorContext): void {
  for (const id of officialSkills)
    official(context, { id, name: id, description: `Works with ${id} files.`, seeded: true, isCatalogue: true })
}

interface Official {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly seeded?: true
  readonly isCatalogue?: true
}

function official({ store, nowMs }: EmulatorContext, { id, name, description, ...marks }: Official): StoredObject {
  const now = iso(nowMs)
  const stored = { createdAtMs: nowMs, ...marks }
  if (store.find('skills', id)) throw refuse('conflict', `${id} already exists`)
  const facts = { name, description, status: 'active', created_at: now }
  const version = { skill_id: id, type: 'skill_version', version: '1.0', status: 'active', created_at: now }
  store.insert({ ...stored, id: `${id}@1.0`, collection: 'skill_versions', parent: id, body: version })
  const body = { id, type: 'skill', ...facts, source: 'official', latest_version: '1.0', updated_at: now }
  return store.insert({ ...stored, id, collection: 'skills', body })
}

export function versionOf({ store }: EmulatorContext, skillId: string, version: string): StoredObject {
  const object = store.find('skill_versions', `${skillId}@${version}`)
  if (!object) throw refuse('notFound', `skill ${skillId} has no version ${version}`)
  return object
}

function customer(context: EmulatorContext, id: string | undefined): StoredObject {
  const skill = found(context, 'skills', id)
  if (skill.body['status'] === 'deleted') throw refuse('notFound', `${id}: the skill was deleted`)
  if (skill.body['source'] !== 'customer') throw refuse('forbidden', 'official skills cannot be changed')
  return skill
}

interface Content {
  readonly facts: { readonly name: string; readonly description: string }
  readonly bytes: string
}

/** Registers an upload and removes its file, because the skill contains it from now on. */
function registered({ store, ownKnobs }: EmulatorContext, { file_id }: Static<typeof Registration>): Content {
  const file = store.find('files', file_id)
  const attempts = Number(file?.hidden['attempts'] ?? 0) + 1
  if (file) store.put({ ...file, hidden: { ...file.hidden, attempts } })
  if (!file || scanState(file) !== 'clean' || attempts <= Number(ownKnobs['skillFileNotFound']))
    throw refuse('serverError', `the file ${file_id} was not found`, { code: 'SKILL_FILE_NOT_FOUND' })
  const bytes = String(file.hidden['bytes'])
  const facts = frontMatter(Buffer.from(bytes, 'base64'))
  store.remove(file)
  return { facts, bytes }
}

function frontMatter(bytes: Uint8Array): Content['facts'] {
  const manifest = manifestOf(bytes)
  if (!manifest) throw invalid('the archive has no SKILL.md at its root')
  const text = /^---\r?\n([\s\S]*?)\r?\n---/.exec(Buffer.from(manifest).toString('utf8'))?.[1]
  const parsed: unknown = text === undefined ? undefined : parse(text)
  const { name, description = '' } = isObject(parsed) ? parsed : {}
  if (typeof name !== 'string' || typeof description !== 'string') throw invalid('SKILL.md names no skill')
  return { name, description }
}

function manifestOf(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return unzipSync(bytes)['SKILL.md']
  } catch (error) {
    throw invalid(`not a zip archive: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const invalid = (message: string) => refuse('invalid', message, { code: 'InvalidParameter' })

function addVersion(context: EmulatorContext, skill: StoredObject, { bytes }: Content): StoredObject {
  const { store, nowMs, ownKnobs } = context
  const count = [...store.childrenOf('skill_versions', skill.id)].length
  const version = `${count + 1}.0`
  const stored = store.insert({
    id: `${skill.id}@${version}`,
    collection: 'skill_versions',
    parent: skill.id,
    createdAtMs: nowMs,
    body: { skill_id: skill.id, type: 'skill_version', version, created_at: iso(nowMs) },
    hidden: { bytes, scan: { ...newScan(context), ...(ownKnobs['refusesVersions'] ? { outcome: 'refused' } : {}) } },
  })
  return store.put(withStatus(context, stored))
}

function withStatus({ ownKnobs }: EmulatorContext, version: StoredObject): StoredObject {
  const status = words[String(ownKnobs['skillWords'])]?.[scanState(version)] ?? 'checking'
  return { ...version, body: { ...version.body, status } }
}

/** Updates the version that the skill names: the last usable one while a newer one is being scanned. */
function refreshed({ store }: EmulatorContext, skill: StoredObject): StoredObject {
  if (skill.body['status'] === 'deleted' || skill.body['source'] === 'official') return skill
  const versions = [...store.childrenOf('skill_versions', skill.id)]
  const usable = versions.filter((version) => scanState(version) === 'clean').at(-1) ?? versions.at(-1)
  const facts: JsonObject = { status: usable?.body['status'], latest_version: usable?.body['version'] }
  return store.put({ ...skill, body: { ...skill.body, ...facts } })
}
