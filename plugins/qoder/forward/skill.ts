// Skills of the forward API: packages as in the managed one, in a collection of their own.
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
  api: 'forward',
  form: 1,
  fields: skillFields,

  desired: desiredSkill,
  observed: () => ({}),
  outputs: skillOutputs,
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.forward.get(item('/skills', id), { signal }),
  create: (call, request) => createSkill(call, 'forward', request),
  update: (call, request) => updateSkill(call, 'forward', request),
  remove: async ({ client, signal }, id) => void (await client.forward.delete(item('/skills', id), { signal })),
  removal: 'delete',
  list: (call) => listSkills(call, 'forward'),
  listIsComplete: true,

  moves: ['version'],
  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'key' },
  resembles: resemblesSkill,
})
