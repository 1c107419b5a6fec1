// Common parts of the subject projects: a reviewer with its resources, and edits of them. Each subject adds its own text,
// because providers differ in the rest.
import type { Version } from '../../../core/conformance/subject.js'
import { edited, withFiles } from '../../support/emulated.js'

/** Section `memory_stores` and the local sources of `skills` and `files`. */
export const storesAndSources = `memory_stores:
  findings:
    description: What reviews found
    entries:
      - { key: style.md, content: Prefer short functions. }
      - { key: notes/tests.md, content: Test what can break. }
  policies:
    description: How we review
    entries_mode: sync
    entries:
      - { key: tone.md, content: Be kind. }
      - { key: limits.md, content: One day for each review. }
skills:
  review:
    source: ./review
files:
  handbook:
    source: ./handbook.md
`

/** A credential for an MCP server. */
export const issuesToken = `      - name: issues
        type: static_bearer
        mcp_server_url: https://issues.example.com/mcp
        access_token: \${ISSUES_TOKEN}
`

export const files = {
  'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the whole change first.\n',
  'handbook.md': 'Be kind.\n',
  'topics.csv': 'topic\ntests\n',
} as const

/** A rubric, where a deployment has outcomes. */
export const rubric = { 'rubric.md': 'The report names every change.\n' } as const

/** Edits that every such project applies. */
export function usualEdits(project: Version): Readonly<Record<string, Version>> {
  const storeNames = project.text.includes('    memory_stores: [findings]\n')
    ? [['memory_stores: [findings]', 'memory_stores: [discoveries]'] as const]
    : []
  return {
    'descriptions and instructions changed': edited(
      project,
      ['Where reviews run', 'Where all reviews run'],
      ['Review what you are given.', 'Review it twice.'],
      ['display_name: Keys', 'display_name: All keys'],
      ['What reviews found', 'What all reviews found'],
      ['Review what was merged today.', 'Review what was merged this week.'],
    ),
    'optional things were removed': edited(
      project,
      ['    description: Reviews changes\n', ''],
      ['    metadata: { purpose: review }\n', ''],
      ['    metadata: { team: platform }\n', ''],
      ['    skills: [review]\n', ''],
      ['    description: Looks at what was merged\n', ''],
      ['    vaults: [keys]\n', ''],
      ['    multiagent:\n      type: coordinator\n      agents: [reviewer]\n', ''],
    ),
    'entries of memory stores changed': edited(
      project,
      ['Be kind.', 'Be kind and brief.'],
      ['      - { key: limits.md, content: One day for each review. }\n', ''],
      ['      - { key: notes/tests.md, content: Test what can break. }\n', ''],
    ),
    'local files changed': withFiles(project, {
      'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the change twice.\n',
      'handbook.md': 'Be kind and brief.\n',
      'topics.csv': 'topic\ntests\nnames\n',
    }),
    'resources were renamed': edited(
      project,
      ['  workshop:\n', '  atelier:\n'],
      ['environment: workshop', 'environment: atelier'],
      ['  reviewer:\n', '  critic:\n'],
      ['agents: [reviewer]', 'agents: [critic]'],
      ['agent: reviewer', 'agent: critic'],
      ['  findings:\n', '  discoveries:\n'],
      ...storeNames,
      ['  nightly:\n', '  every-night:\n'],
    ),
  }
}

/** A credential is removed, and another one reaches one more host. */
export const credentialsChanged = (project: Version, removed: string): Version =>
  edited(project, [removed, ''], ['[api.github.com]', '[api.github.com, uploads.github.com]'])
