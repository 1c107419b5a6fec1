// Skills: a folder, uploaded as one archive. The API cannot update or remove one, so a changed folder becomes a new
// skill, and the agents that use it are updated to its id.

import { isFailure } from '../../core/plugin/failure.js'
import { handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import { contentOf } from '../../core/plugin/upload-content.js'
import type { SkillBody } from '../kinds/skill.js'
import { idOutput } from '../shared/collection.js'
import { isNamed, zipSkill } from '../shared/skill-package.js'
import { createdAtMs } from './answers.js'
import type { ArkClient } from './client.js'

export const skill = handler<ArkClient, SkillBody>({
  kind: 'skill',
  support: { reason: 'a changed folder is a new skill; the old one cannot be removed' },
  form: 1,
  // The server reads name and description from SKILL.md, so only the content is compared.
  fields: { sha256: { label: 'source', immutable: true, local: true, writeOnly: true } },

  desired: ({ body }, scope) => ({ sha256: scope.source(body.source).sha256 }),
  observed: () => ({}),
  outputs: idOutput,
  createdAtMs,

  read: ({ client, signal }, id) => client.get(pathTo`/skills/${id}`, { signal }),
  async create(call, request) {
    const archive = zipSkill(await contentOf(call, request), { wrapped: true })
    const form = new FormData()
    form.set('files', new Blob([archive], { type: 'application/zip' }), 'skill.zip')
    return call.client.create('/skills', form, { signal: call.signal })
  },
  async remove({ client, signal }, id) {
    try {
      await client.delete(pathTo`/skills/${id}`, { signal })
    } catch (error) {
      // The documented route does not exist yet. When it does, old skills are removed.
      if (!isFailure(error, 'gone', 'invalid')) throw error
    }
  },
  removal: 'forget',

  answers: 'whole',
  replace: 'createFirst',
  resembles: ({ name }, content) => isNamed(content, String(name)),
  // Skills cannot be listed. An unused one has no effect.
  lostCreate: { by: 'repeat' },
})
