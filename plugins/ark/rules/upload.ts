// Rules for uploads: the purpose of files, and fields of skills without a counterpart.
import type { Severity } from '../../../core/diagnostic.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { FileBody } from '../../kinds/file.js'
import type { SkillBody } from '../../kinds/skill.js'

const purposes = ['agent', 'user_data']

const skillFieldsNotSent: readonly {
  readonly field: keyof SkillBody
  readonly severity: Severity
  readonly detail: string
}[] = [
  { field: 'description', severity: 'note', detail: 'Ark takes the description from the front matter of SKILL.md.' },
  { field: 'version', severity: 'warning', detail: 'Skills of Ark have one version; a changed folder is a new skill.' },
]

export const uploadRules: readonly ProviderRule[] = [
  rule<FileBody>({
    kind: 'file',
    phase: 'declaration',
    code: 'ark.file-purpose',
    severity: 'error',
    spec: '2.10',
    summary: 'Files cannot have this purpose here',
    fix: `Use ${purposes.join(' or ')}, or leave purpose out, which means ${purposes[0]}.`,
    *check({ declaration: { body } }) {
      const { purpose } = body
      if (purpose !== undefined && !hasPlaceholder(purpose) && !purposes.includes(purpose))
        yield { at: ['purpose'], detail: `Ark has no purpose ${purpose}.` }
    },
  }),
  ...skillFieldsNotSent.map(({ field, severity, detail }) =>
    rule<SkillBody>({
      kind: 'skill',
      phase: 'declaration',
      code: `ark.skill-${field}`,
      severity,
      spec: '2.9',
      summary: 'A field is not sent to this provider',
      fix: 'Remove it where this provider is the only target.',
      *check({ declaration: { body } }) {
        if (body[field] !== undefined) yield { at: [field], onKey: true, detail }
      },
    }),
  ),
  rule<SkillBody>({
    kind: 'skill',
    phase: 'declaration',
    code: 'ark.skill-origin',
    severity: 'warning',
    spec: '2.9',
    summary: 'A folder cannot become an official skill',
    fix: "Name the official skill in the agent's skills by its skill_id instead.",
    *check({ declaration: { body } }) {
      if (body.origin === 'official')
        yield { at: ['origin'], detail: 'Ark takes the folder as a skill of your own, whatever its origin says.' }
    },
  }),
]
