// Skills in both APIs: uploaded packages that cannot be read back, so only their digest is compared.

import type { Declaration } from '../../core/plugin/declaration.js'
import type {
  Call,
  CreateRequest,
  FieldTable,
  Remote,
  SourceContent,
  UpdateRequest,
} from '../../core/plugin/handler.js'
import type { Outputs, Scope } from '../../core/plugin/scope.js'
import type { Tree } from '../../core/value/tree.js'
import type { SkillBody } from '../kinds/skill.js'
import { isNamed, skillName, zipSkill } from '../shared/skill-package.js'
import { textOf } from '../shared/wire.js'
import { type Api, idempotent, paging, type QoderClient } from './client.js'
import { isKeyReused } from './failure.js'
import { problem } from './problems.js'
import { idOf, item } from './wire.js'

export const skillFields: FieldTable = { sha256: { label: 'source', local: true, writeOnly: true } }

export function desiredSkill({ body }: Declaration<SkillBody>, scope: Scope): Tree {
  return { sha256: scope.source(body.source).sha256 }
}

/** Returns the outputs. Older responses have another name for the newest version. */
export function skillOutputs(remote: Remote): Outputs {
  return { id: idOf(remote), version: textOf(remote['latest_version']) || textOf(remote['latest_version_id']) }
}

export async function createSkill(call: Call<QoderClient>, api: Api, request: CreateRequest): Promise<Remote> {
  const { form, name, sha256 } = await packageOf(call, request.sources)
  try {
    return await call.client[api].create('/skills', form, idempotent(call, request.nonce))
  } catch (error) {
    if (!isKeyReused(error)) throw error
    // This skill is from an interrupted run, and its folder has changed since. Names are unique, so the name identifies
    // it.
    const made = await findCustomSkill(call, api, name)
    if (!made) throw error
    return addVersion(call, api, made, { form, sha256 })
  }
}

/** Uploads new content as a new version under the name that the skill was created with. */
export async function updateSkill(call: Call<QoderClient>, api: Api, request: UpdateRequest): Promise<Remote> {
  const { form, name, sha256 } = await packageOf(call, request.sources)
  const current = titleOf(request.remote)
  if (current !== '' && current !== name) throw renamed(current, name)
  return addVersion(call, api, request.remote, { form, sha256 })
}

export function listSkills({ client, signal }: Call<QoderClient>, api: Api): AsyncIterable<Remote> {
  return client[api].list('/skills', { signal, query: { source: 'custom' } }, paging)
}

async function addVersion(
  call: Call<QoderClient>,
  api: Api,
  skill: Remote,
  { form, sha256 }: Pick<Package, 'form' | 'sha256'>,
): Promise<Remote> {
  const { client, signal } = call
  const { id, version } = skillOutputs(skill)
  // The idempotency key names both versions, so that the step between them happens once for any number of requests.
  const step = `${id} ${version} ${sha256}`
  await client[api].update(item('/skills', id, 'versions'), form, idempotent(call, step))
  return client[api].get(item('/skills', id), { signal })
}

async function findCustomSkill(call: Call<QoderClient>, api: Api, name: string): Promise<Remote | undefined> {
  for await (const skill of listSkills(call, api)) if (titleOf(skill) === name) return skill
  return undefined
}

export function resemblesSkill(skill: Remote, content: SourceContent): boolean {
  return isNamed(content, titleOf(skill))
}

/** Returns the title, which has another name in older responses. */
function titleOf(skill: Remote): string {
  return textOf(skill['display_title']) || textOf(skill['display_name'])
}

interface Package {
  readonly form: FormData
  /** Name of the skill in SKILL.md. */
  readonly name: string
  readonly sha256: string
}

async function packageOf(call: Call<QoderClient>, sources: CreateRequest['sources']): Promise<Package> {
  const [source] = sources.values()
  if (!source) throw new Error('a skill was sent without its folder')
  const content = await call.content(source)
  const name = skillName(content)
  const archive = new Blob([Uint8Array.from(zipSkill(content, { wrapped: true }))], { type: 'application/zip' })
  const form = new FormData()
  form.append('files', archive, `${name}.zip`)
  return { form, name, sha256: source.sha256 }
}

function renamed(current: string, name: string) {
  return problem('qoder.skill-renamed', {
    detail: `The skill is called "${current}" at Qoder, and SKILL.md now says "${name}".`,
  })
}
