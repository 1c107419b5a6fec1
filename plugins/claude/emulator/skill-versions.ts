// Emulated versions of skills, in the older form (a number that looks like a time) and the current one (an object with
// an id).
import { zipSync } from 'fflate'
import type { JsonObject } from '../../../core/value/tree.js'
import {
  type Collection,
  type EmulatedRequest,
  type EmulatorContext,
  type Route,
  refuse,
} from '../../emulator/contract.js'
import type { Store, StoredObject } from '../../emulator/store.js'
import { betasOf } from './errors.js'
import { list, removeObject, requireObject, timeText } from './objects.js'
import { call, listed, query } from './schema.js'
import { readPackage, type SkillPackage } from './skill-package.js'

type Request = Pick<EmulatedRequest, 'headers'>

/** True if the request has the beta header of the older form. */
export const isOldShape = ({ headers }: Request): boolean => betasOf(headers).includes('skills-2025-10-02')

export function addVersion(context: EmulatorContext, skillId: string, content: SkillPackage): StoredObject {
  const { store, nowMs } = context
  const id = store.newId('skillver_01')
  return store.insert({
    id,
    collection: 'skill_version',
    parent: skillId,
    createdAtMs: nowMs,
    body: {
      id,
      type: 'skill_version',
      skill_id: skillId,
      version: `${nowMs}000`,
      name: content.name,
      description: content.description,
      directory: content.name,
      created_at: timeText(nowMs),
    },
    hidden: {
      files: Object.fromEntries(
        [...content.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]),
      ),
    },
  })
}

export function newestVersion(store: Store, skillId: string): StoredObject | undefined {
  return [...store.childrenOf('skill_version', skillId)].at(-1)
}

/** Resolves the version that an agent names; either form of a version is accepted. */
export function resolvedSkillVersion(
  store: Store,
  skill: StoredObject,
  wanted: string | undefined,
  param: string,
): string {
  const newest = newestVersion(store, skill.id)
  const found = wanted === undefined ? newest : findVersion(store, skill.id, wanted)
  if (!found) throw refuse('invalid', `${param}: skill ${skill.id} has no such version`, { param })
  return wanted ?? found.id
}

function findVersion(store: Store, skillId: string, address: string): StoredObject | undefined {
  return [...store.childrenOf('skill_version', skillId)].find(
    ({ id, body }) => id === address || body['version'] === address,
  )
}

function storedVersion({ store, params }: EmulatedRequest): StoredObject {
  const skill = requireObject(store, 'skill', params['id'])
  const version = findVersion(store, skill.id, params['version'] ?? '')
  if (!version) throw refuse('notFound', `skill ${skill.id} has no version ${params['version']}`)
  return version
}

function responseBody(version: StoredObject, request: Request): JsonObject {
  if (isOldShape(request)) return version.body
  const { version: _, directory: __, ...body } = version.body
  return body
}

export const skillVersionRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/skills/:id/versions',
    isForm: true,
    handle(request) {
      const skill = requireObject(request.store, 'skill', request.params['id'])
      const content = readPackage(request.files)
      const named = newestVersion(request.store, skill.id)?.body['name'] ?? content.name
      if (content.name !== named) throw refuse('invalid', `files: this skill is named ${String(named)}`)
      return { body: responseBody(addVersion(request, skill.id, content), request) }
    },
  }),
  call({
    method: 'GET',
    path: '/skills/:id/versions',
    query: query(listed),
    handle: (request) =>
      list(
        request.store.childrenOf('skill_version', requireObject(request.store, 'skill', request.params['id']).id),
        request.query,
        { show: (version) => responseBody(version, request) },
      ),
  }),
  call({
    method: 'GET',
    path: '/skills/:id/versions/:version',
    handle: (request) => ({ body: responseBody(storedVersion(request), request) }),
  }),
  call({
    method: 'DELETE',
    path: '/skills/:id/versions/:version',
    handle(request) {
      const version = storedVersion(request)
      const count = [...request.store.childrenOf('skill_version', request.params['id'] ?? '')].length
      if (count === 1 && !isOldShape(request))
        throw refuse('invalid', 'the only version of a skill goes with the skill itself')
      return removeObject(version, request.store, 'skill_version_deleted')
    },
  }),
  call({
    method: 'GET',
    path: '/skills/:id/versions/:version/content',
    handle(request) {
      const { files } = storedVersion(request).hidden
      const entries = Object.entries((files ?? {}) as Record<string, string>).map(
        ([path, base64]) => [path, new Uint8Array(Buffer.from(base64, 'base64'))] as const,
      )
      return { bytes: zipSync(Object.fromEntries(entries)), headers: { 'content-type': 'application/zip' } }
    },
  }),
]

export const skillVersionCollection: Collection = { kind: 'skill_version', isTopLevel: false, isPermanent: false }
