// Skills of the managed API (agent configuration 2.9): a package of files; other content is a new version of the skill.
import { handler } from '../../../core/plugin/handler.js'
import type { SkillBody } from '../../kinds/skill.js'
import type { QoderClient } from '../client.js'
import {
  createSkill,
  desiredSkill,
  listSkills,
  resemblesSkill,
  skillFields,
  skillOutputs,
  updateSkill,
} from '../skill-body.js'
import { createdAtMs, isArchived, item } from '../wire.js'

export const skill = handler<QoderClient, SkillBody>({
  kind: 'skill',
  api: 'managed',
  form: 1,
  fields: skillFields,

  desired: desiredSkill,
  observed: () => ({}),
  outputs: skillOutputs,
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.managed.get(item('/skills', id), { signal }),
  create: (call, request) => createSkill(call, 'managed', request),
  update: (call, request) => updateSkill(call, 'managed', request),
  remove: async ({ client, signal }, id) => void (await client.managed.delete(item('/skills', id), { signal })),
  removal: 'delete',
  list: (call) => listSkills(call, 'managed'),
  listIsComplete: true,

  moves: ['version'],
  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'key' },
  resembles: resemblesSkill,
})
