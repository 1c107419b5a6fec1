// Skills: reusable folders of instructions and scripts (agent configuration 2.9).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { Exact, LocalPath, OneOf, ProviderName, Text, Word } from '../../core/plugin/schema.js'
import { manifest, nameInManifest } from './skill-manifest.js'

const schema = Exact(
  {
    source: LocalPath('folder', {
      description: 'Folder of the skill, with SKILL.md in it.',
      'x-must-hold': manifest,
    }),
    description: Type.Optional(Text({ description: 'What the skill is for, where SKILL.md does not decide.' })),
    version: Type.Optional(Word({ minLength: 1, description: 'A label; providers number versions by themselves.' })),
    origin: Type.Optional(
      OneOf(['custom', 'official'], {
        description: 'A folder is always custom; official skills are named by agents alone.',
        default: 'custom',
      }),
    ),
    provider: Type.Optional(ProviderName()),
  },
  { description: 'A folder of instructions and scripts that agents can use.' },
)

export type SkillBody = Static<typeof schema>

const named: KindRule<SkillBody> = {
  code: 'skill.no-name',
  severity: 'error',
  spec: '2.9',
  summary: 'A skill has no usable name',
  fix: 'Begin SKILL.md with a front matter that has a name, such as: name: my-skill',
  *check({ body: { source }, sources }) {
    const text = sources.get(source)?.held
    const read = text === undefined ? { name: '' } : nameInManifest(text, source)
    if ('fault' in read) yield { at: ['source'], detail: read.fault }
  },
}

export const skill = kind({
  kind: 'skill',
  section: 'skills',
  summary: 'Reusable capability modules.',
  schema,
  references: () => [],
  rules: [named],
})
