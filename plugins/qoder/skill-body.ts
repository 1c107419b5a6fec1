// Skills in both APIs: packages that are uploaded and can never be read back, so only their digest is compared.
import type { Declaration } from '../../core/declaration/declaration.js'
import { problem } from '../../core/diagnostic.js'
import type { Call, CreateRequest, FieldTable, Remote, UpdateRequest } from '../../core/plugin/handler.js'
import type { Outputs, Scope } from '../../core/plugin/scope.js'
import type { Tree } from '../../core/value/tree.js'
import type { SkillBody } from '../kinds/skill.js'
import { skillName, zipSkill } from '../shared/skill-package.js'
import { type Api, idempotent, type QoderClient } from './client.js'
import { idOf, item, textOf } from './wire.js'

export const skillFields: FieldTable = { sha256: { label: 'source', local: true, writeOnly: true } }

export function desiredSkill({ body }: Declaration<SkillBody>, scope: Scope): Tree {
  return { sha256: scope.source(body.source).sha256 }
}

/** Older answers call the title and the newest version otherwise than newer ones. */
export function skillOutputs(remote: Remote): Outputs {
  return { id: idOf(remote), version: textOf(remote['latest_version']) || textOf(remote['latest_version_id']) }
}

export async function createSkill(call: Call<QoderClient>, api: Api, request: CreateRequest): Promise<Remote> {
  const { form } = await packageOf(call, request.sources)
  return call.client[api].create('/skills', form, idempotent(call, request.nonce))
}

/** New content is a new version under the name that the skill was created with. */
export async function updateSkill(call: Call<QoderClient>, api: Api, request: UpdateRequest): Promise<Remote> {
  const { client, signal } = call
  const { form, name } = await packageOf(call, request.sources)
  const held = textOf(request.remote['display_title']) || textOf(request.remote['display_name'])
  if (held !== '' && held !== name) throw renamed(held, name)
  // The step from one version to the next happens once, however often it has to be asked for.
  const step = `${request.id} ${skillOutputs(request.remote)['version']} ${textOf(request.desired['sha256'])}`
  await client[api].update(item('/skills', request.id, 'versions'), form, idempotent(call, step))
  return client[api].get(item('/skills', request.id), { signal })
}

async function packageOf(
  call: Call<QoderClient>,
  sources: CreateRequest['sources'],
): Promise<{ readonly form: FormData; readonly name: string }> {
  const [source] = sources.values()
  if (!source) throw new Error('a skill was sent without its folder')
  const content = await call.content(source)
  const name = skillName(content)
  const archive = new Blob([Uint8Array.from(zipSkill(content, { wrapped: true }))], { type: 'application/zip' })
  const form = new FormData()
  form.append('files', archive, `${name}.zip`)
  return { form, name }
}

function renamed(held: string, name: string) {
  return problem('qoder.skill-renamed', 'A skill cannot change its name', {
    detail: `The skill is called "${held}" at Qoder, and SKILL.md now says "${name}".`,
    fix: 'Declare the renamed skill under a new key, and remove the old one.',
  })
}
