// Skills: a folder, uploaded as an archive and registered; new content becomes a new version of the same skill.
import { type Call, handler, type Remote } from '../../core/plugin/handler.js'
import { isObject } from '../../core/value/tree.js'
import type { SkillBody } from '../kinds/skill.js'
import { zipSkill } from '../shared/skill-package.js'
import { createdAtMs } from './answers.js'
import type { BailianClient } from './client.js'
import { isDeleted, scanState } from './scan.js'
import { wantedSource } from './sources.js'
import { uploadScanned } from './upload.js'

/** Where `read` puts the newest version: the skill itself may go on naming an older one while that is scanned. */
const newest = 'newest_version'

export const skill = handler<BailianClient, SkillBody>({
  kind: 'skill',
  form: 1,
  // Name and description are taken from SKILL.md by the server, so that the content is all there is to compare.
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
  create: async (call, request) => {
    const { client, signal } = call
    return client.register('/skills', { file_id: await uploadFolder(call, request) }, { signal })
  },
  update: async (call, request) => {
    const { client, signal } = call
    const path = `/skills/${request.id}/versions`
    await client.register(path, { file_id: await uploadFolder(call, request) }, { signal })
    return read(call, request.id)
  },
  remove: async ({ client, signal }, id) => void (await client.delete(`/skills/${id}`, { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.list('/skills', { signal }),
  listIsComplete: true,

  moves: ['version'],
  replace: 'createFirst',
  // Skills carry no mark; a second copy that no agent names does nothing.
  lostCreate: { by: 'repeat' },
  ready: {
    state: (remote) => scanState(newestOf(remote)?.['status'] ?? remote['status']),
    firstDelayMs: 2_000,
    longestDelayMs: 8_000,
    timeoutMs: 480_000,
  },
})

async function read({ client, signal }: Call<BailianClient>, id: string): Promise<Remote> {
  const remote = await client.get(`/skills/${id}`, { signal })
  let last: Remote | undefined
  for await (const version of client.list(`/skills/${id}/versions`, { signal }))
    if (numberOf(version) > numberOf(last)) last = version
  return last ? { ...remote, [newest]: last } : remote
}

function newestOf(remote: Remote): Remote | undefined {
  const last = remote[newest]
  return isObject(last) ? last : undefined
}

/** `"10.0"` comes after `"9.0"`. */
function numberOf(version: Remote | undefined): number {
  return Number.parseFloat(String(version?.['version'])) || 0
}

async function uploadFolder(call: Call<BailianClient>, request: Parameters<typeof wantedSource>[0]): Promise<string> {
  const source = wantedSource(request)
  const bytes = zipSkill(await call.content(source))
  return uploadScanned(call, { name: `${source.baseName}.zip`, bytes })
}
