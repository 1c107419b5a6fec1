// Skills: folders of instructions and scripts (agent configuration 2.9). Changed content is a new version of the skill.

import type { LocalSource } from '../../core/plugin/declaration.js'
import { isFailure } from '../../core/plugin/failure.js'
import { type Call, handler, type Remote, type SourceContent } from '../../core/plugin/handler.js'
import type { SkillBody } from '../kinds/skill.js'
import { item } from '../shared/collection.js'
import { declaredSkill } from '../shared/declared-skill.js'
import { mediaType } from '../shared/media-type.js'
import { archiveFirstBytes, unzipSkill } from '../shared/skill-archive.js'
import { skillFiles, skillName } from '../shared/skill-package.js'
import { collection } from './answers.js'
import { type ClaudeClient, paging } from './client.js'
import { problem } from './problems.js'

const skills = collection('/skills')

export const skill = handler<ClaudeClient, SkillBody>({
  ...skills,
  kind: 'skill',
  // The server reads name and description from SKILL.md, so only the content is compared.
  fields: { sha256: { label: 'source', local: true, writeOnly: true } },

  desired: ({ body }, scope) => ({ sha256: scope.source(body.source).sha256 }),
  observed: () => ({}),
  outputs: (remote) => ({ id: String(remote['id']), version: newestVersion(remote) }),

  create: async (call, { sources }) =>
    call.client.create('/skills', packageForm(await contentOf(call, sources)), { signal: call.signal }),
  update: async (call, { id, remote, sources }) => {
    await addVersion(call, remote, await contentOf(call, sources))
    return skills.read(call, id)
  },
  remove: removeWithVersions,
  list: ({ client, signal }) => client.list('/skills', { signal, query: { source: 'custom' } }, paging),

  moves: ['version'],
  lostCreate: { by: 'content', digest: 'sha256' },

  name: (remote) => titleOf(remote),
  download: async ({ client, signal }, remote) => {
    const version = item(`${item('/skills', String(remote['id']))}/versions`, newestVersion(remote))
    return unzipSkill(await client.download(`${version}/content`, archiveFirstBytes, { signal }))
  },
  declare: declaredSkill,
})

/** Returns the title, which the older beta names `display_title` and need not return. */
function titleOf(remote: Remote): string | undefined {
  const title = remote['display_name'] ?? remote['display_title']
  return typeof title === 'string' && title !== '' ? title : undefined
}

/** Returns the newest version, which the older beta names `latest_version`. */
function newestVersion(remote: Remote): string {
  return String(remote['latest_version_id'] ?? remote['latest_version'])
}

async function contentOf(call: Call<ClaudeClient>, sources: ReadonlyMap<string, LocalSource>): Promise<SourceContent> {
  const [source] = sources.values()
  if (!source) throw new Error('a skill was sent without its folder')
  return call.content(source)
}

function packageForm(content: SourceContent): FormData {
  const form = new FormData()
  for (const { path, bytes } of skillFiles(content))
    form.append('files[]', new Blob([Uint8Array.from(bytes)], { type: mediaType(path) }), path)
  return form
}

async function addVersion(
  { client, signal }: Call<ClaudeClient>,
  remote: Remote,
  content: SourceContent,
): Promise<void> {
  const path = `${item('/skills', String(remote['id']))}/versions`
  try {
    await client.update(path, packageForm(content), { signal })
  } catch (error) {
    if (!isFailure(error, 'invalid')) throw error
    const current = await client.get(item(path, newestVersion(remote)), { signal })
    const wanted = skillName(content)
    if (current['name'] === wanted) throw error
    throw problem('claude.skill-renamed', {
      detail: `SKILL.md now says ${wanted}, but every version of this skill is named ${String(current['name'])}.`,
      cause: error,
    })
  }
}

/** Removes a skill after its versions; the last version may be removed by itself or with the skill. */
async function removeWithVersions(call: Call<ClaudeClient>, id: string): Promise<void> {
  const { client, signal } = call
  const path = `${item('/skills', id)}/versions`
  for await (const version of client.list(path, { signal }, paging)) {
    try {
      await client.delete(item(path, String(version['version'] ?? version['id'])), { signal })
    } catch (error) {
      if (!isFailure(error, 'gone', 'invalid', 'inUse')) throw error
    }
  }
  await skills.remove(call, id)
}
