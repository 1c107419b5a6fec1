// Rules for skills and files (agent configuration 2.9, 2.10).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { FileBody } from '../../kinds/file.js'
import type { SkillBody } from '../../kinds/skill.js'

const phase = 'declaration'

export const skillLimits = { bytesMax: 50 * 1024 * 1024 } as const

const forwardPurposes = ['user_upload', 'session_resource'] as const

/**
 * Fields that are not sent. A description is in SKILL.md already; for a version a warning is printed, because it has no
 * effect.
 */
const ignoredFields = [
  { field: 'description', severity: 'note' },
  { field: 'version', severity: 'warning' },
] as const

export const skillRules: readonly ProviderRule[] = [
  rule<SkillBody>({
    code: 'qoder.skill-official',
    kind: 'skill',
    phase,
    severity: 'error',
    spec: '2.9',
    summary: 'Official skills are not declared for Qoder',
    fix: 'Name it in the agent: skills: [{ type: official, skill_id: … }].',
    *check({ declaration: { body } }) {
      if (body.origin !== 'official') return
      yield { at: ['origin'], detail: 'Qoder has its own skills already, and takes uploads of custom ones only.' }
    },
  }),
  ...ignoredFields.map(({ field, severity }) =>
    rule<SkillBody>({
      code: 'qoder.skill-field-ignored',
      kind: 'skill',
      phase,
      severity,
      spec: '2.9',
      summary: 'Qoder takes this from SKILL.md',
      fix: 'Write it into the front matter of SKILL.md, and remove it here.',
      *check({ declaration: { body } }) {
        if (body[field] === undefined) return
        const detail = `The ${field} of an uploaded skill is what its package says; this one is not sent.`
        yield { at: [field], onKey: true, detail }
      },
    }),
  ),
  rule<SkillBody>({
    code: 'qoder.skill-too-large',
    kind: 'skill',
    phase,
    severity: 'error',
    spec: '2.9',
    summary: 'The folder of the skill is too large',
    fix: 'Remove files the skill does not need.',
    *check({ declaration: { body, sources } }) {
      const source = sources.get(body.source)
      if (!source || source.sizeBytes <= skillLimits.bytesMax) return
      yield { at: ['source'], detail: `It has ${source.sizeBytes} bytes; Qoder takes ${skillLimits.bytesMax} (50 MB).` }
    },
  }),
]

export const fileRules: readonly ProviderRule[] = [
  rule<FileBody>({
    code: 'qoder.file-purpose',
    kind: 'file',
    phase,
    severity: 'error',
    spec: '2.10',
    summary: 'The forward API has no such purpose of files',
    fix: `Use ${forwardPurposes.join(' or ')}, or leave purpose out.`,
    *check({ declaration: { body }, api }) {
      if (api !== 'forward' || body.purpose === undefined) return
      if (forwardPurposes.some((purpose) => purpose === body.purpose)) return
      yield {
        at: ['purpose'],
        detail: `"${body.purpose}" is refused there; known are ${forwardPurposes.join(' and ')}.`,
      }
    },
  }),
]
