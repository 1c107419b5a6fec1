// Skills: reusable folders of instructions and scripts (agent configuration 2.9).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import { Exact, LocalPath, OneOf, ProviderName, Text, Word } from '../../core/plugin/schema.js'

const schema = Exact(
  {
    source: LocalPath('folder', { description: 'Folder of the skill; it holds SKILL.md.', 'x-must-hold': 'SKILL.md' }),
    description: Type.Optional(Text()),
    version: Type.Optional(Word({ minLength: 1 })),
    origin: Type.Optional(OneOf(['custom', 'official'])),
    provider: Type.Optional(ProviderName()),
  },
  { description: 'A folder of instructions and scripts that agents can use.' },
)

export type SkillBody = Static<typeof schema>

export const skill = kind({
  kind: 'skill',
  section: 'skills',
  summary: 'Reusable capability modules.',
  schema,
  references: () => [],
  rules: [],
})
