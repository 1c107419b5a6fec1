// Skills of both APIs, each in a collection of its own (agent configuration 2.9): a package of files; changed content
// is a new version of the skill.
import { handler } from '../../core/plugin/handler.js'
import type { SkillBody } from '../kinds/skill.js'
import type { Api, QoderClient } from './client.js'
import { collection } from './collection.js'
import {
  createSkill,
  desiredSkill,
  listSkills,
  resemblesSkill,
  skillFields,
  skillOutputs,
  updateSkill,
} from './skill-body.js'

export const skillOf = (api: Api) =>
  handler<QoderClient, SkillBody>({
    ...collection(api, '/skills'),
    kind: 'skill',
    support: { reason: 'the content cannot be read back' },
    fields: skillFields,

    desired: desiredSkill,
    observed: () => ({}),
    outputs: skillOutputs,

    create: (call, request) => createSkill(call, api, request),
    update: (call, request) => updateSkill(call, api, request),
    list: (call) => listSkills(call, api),

    moves: ['version'],
    lostCreate: { by: 'key' },
    resembles: resemblesSkill,
  })
