// Skills: a folder, uploaded as an archive and registered; new content becomes a new version of the same skill.
import { type TSchema, Type } from 'typebox'
import { IdentifiedObject } from '../../core/plugin/answer.js'
import { isFailure } from '../../core/plugin/failure.js'
import { type Call, handler, type Remote, type UpdateRequest } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import { contentOf } from '../../core/plugin/upload-content.js'
import { isObject } from '../../core/value/tree.js'
import type { SkillBody } from '../kinds/skill.js'
import { declaredSkill } from '../shared/declared-skill.js'
import { archiveFirstBytes, unzipSkill } from '../shared/skill-archive.js'
import { isNamed, zipSkill } from '../shared/skill-package.js'
import { calledName, createdAtMs } from './answers.js'
import type { BailianClient } from './client.js'
import { skillFileNotFound } from './failure.js'
import { isDeleted, scanState } from './scan.js'
import { removeArchives, withArchive } from './upload.js'

/** Member in which `read` stores the newest version: the skill itself may name an older one during a scan. */
const newest = 'newest_version'

const attemptsMax = 8
const pauseMs = 500

export const skill = handler<BailianClient, SkillBody>({
  kind: 'skill',
  form: 1,
  // The server reads name and description from SKILL.md, so only the content is compared.
  fields: { sha256: { local: true, writeOnly: true, label: 'source' } },

  desired: ({ body }, scope) => ({ sha256: scope.source(body.source).sha256 }),
  observed: () => ({}),
  outputs: (remote) => ({
    id: String(remote['id']),
    version: String(newestOf(remote)?.['version'] ?? remote['latest_version']),
  }),
  isGone: isDeleted,
  createdAtMs,

  read,
  create: (call, request) => register(call, request, { key: request.nonce, path: '/skills', answer: IdentifiedObject }),
  update: addVersion,
  remove: async (call, id) => {
    await call.client.delete(pathTo`/skills/${id}`, { signal: call.signal })
    await removeArchives(call, id)
  },
  abandon: (call, { nonce }) => removeArchives(call, nonce),
  removal: 'delete',
  list: ({ client, signal }) => client.list('/skills', { signal }),
  listIsComplete: true,

  moves: ['version'],
  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'content', digest: 'sha256' },
  ready: {
    state: (remote) => scanState(newestOf(remote)['status']),
    firstDelayMs: 2_000,
    longestDelayMs: 8_000,
    timeoutMs: 480_000,
  },

  name: calledName,
  resembles: (remote, content) => isNamed(content, calledName(remote) ?? ''),
  download: async (call, remote) => unzipSkill(await archiveOf(call, remote)),
  declare: declaredSkill,
})

const Version = Type.Object({ version: Type.String({ minLength: 1 }) }, { description: 'a version of a skill' })

/**
 * Downloads the version in use: a newer one may be in a scan or refused. Reference and observed API differ in the path,
 * so both are tried.
 */
async function archiveOf({ client, signal }: Call<BailianClient>, remote: Remote): Promise<Uint8Array> {
  const path = pathTo`/skills/${String(remote['id'])}/versions/${String(remote['latest_version'])}`
  try {
    return await client.download(`${path}/content`, archiveFirstBytes, { signal })
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error
    return client.download(`${path}/download`, archiveFirstBytes, { signal })
  }
}

/** Adds a version. After a lost response, a version newer than the previous one proves that it was added. */
async function addVersion(call: Call<BailianClient>, request: UpdateRequest): Promise<Remote> {
  const { client, signal } = call
  const path = pathTo`/skills/${request.id}`
  const before = numberOf(newestOf(request.remote))
  for (let attempt = 1; ; attempt++) {
    try {
      await register(call, request, { key: request.id, path: `${path}/versions`, answer: Version })
      return await read(call, request.id)
    } catch (error) {
      const isLost = isFailure(error) && error.isAmbiguous && error.code !== skillFileNotFound
      if (!isLost || attempt === attemptsMax) throw error
      const remote = await read(call, request.id)
      if (numberOf(newestOf(remote)) > before) return remote
      await client.clock.sleep(attempt * pauseMs, signal)
    }
  }
}

async function read({ client, signal }: Call<BailianClient>, id: string): Promise<Remote> {
  const remote = await client.get(pathTo`/skills/${id}`, { signal })
  let last: Remote | undefined
  for await (const version of client.list(pathTo`/skills/${id}/versions`, { signal, answer: Version }))
    if (numberOf(version) > numberOf(last)) last = version
  return last ? { ...remote, [newest]: last } : remote
}

/** Returns the newest version; rows of lists contain only the version in use. */
function newestOf(remote: Remote): Remote {
  const last = remote[newest]
  return isObject(last) ? last : { version: remote['latest_version'], status: remote['status'] }
}

/** Returns the version as a number, so that `"10.0"` follows `"9.0"`. */
function numberOf(version: Remote | undefined): number {
  return Number.parseFloat(String(version?.['version'])) || 0
}

/**
 * Registers an archive. `key` belongs to this create or this skill only, and distinguishes its uploads from all others.
 */
async function register(
  call: Call<BailianClient>,
  request: Parameters<typeof contentOf>[1],
  { key, path, answer }: { readonly key: string; readonly path: string; readonly answer: TSchema },
): Promise<Remote> {
  const { client, signal } = call
  const content = await contentOf(call, request)
  const archive = { baseName: content.baseName, key, bytes: zipSkill(content) }
  return withArchive(call, archive, (file_id) => client.register(path, { file_id }, { signal, answer }))
}
