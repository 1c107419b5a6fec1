// The example for Claude.
import t from 'tap'
import { claudeEmulator } from '../../plugins/claude/emulator/index.js'
import { claude } from '../../plugins/claude/index.js'
import { wholeLife } from './whole-life.js'

t.test('the example for Claude has every kind, and lives its whole life', (t) =>
  wholeLife(t, {
    folder: 'claude',
    providers: [{ provider: claude, emulator: claudeEmulator }],
    drifts: [
      {
        address: 'claude.environment.desk',
        change: { config: { networking: { allowed_hosts: ['*'] } }, metadata: { by: 'somebody' } },
        shows: ['config/networking/allowed_hosts', 'metadata/by'],
      },
      { address: 'claude.vault.desk-access', change: { display_name: 'Keys' }, shows: ['display_name'] },
      {
        address: 'claude.vault.desk-access',
        part: 'GITHUB_TOKEN',
        change: { auth: { networking: { allowed_hosts: ['api.github.com', 'elsewhere.example.com'] } } },
        shows: ['credentials/GITHUB_TOKEN/auth/networking/allowed_hosts'],
      },
      { address: 'claude.memory_store.lessons', change: { description: 'Changed' }, shows: ['description'] },
      {
        address: 'claude.memory_store.policies',
        part: 'tone.md',
        shows: ['entries/tone.md/content', 'entries/tone.md/path'],
      },
      { address: 'claude.skill.release-notes', shows: 'gone' },
      { address: 'claude.file.handbook', shows: 'gone' },
      {
        address: 'claude.agent.researcher',
        change: { description: 'Changed by somebody else', model: { id: 'claude-sonnet-4-5' } },
        shows: ['description', 'model/id'],
      },
      { address: 'claude.agent.lead', change: { multiagent: null }, shows: ['multiagent/agents', 'multiagent/type'] },
      {
        address: 'claude.deployment.morning-round',
        change: { schedule: { expression: '0 7 * * 1-5' } },
        shows: ['schedule/expression'],
      },
    ],
  }),
)
