// The example for Ark.
import t from 'tap'
import { arkEmulator } from '../../plugins/ark/emulator/index.js'
import { ark } from '../../plugins/ark/index.js'
import { wholeLife } from './whole-life.js'

t.test('the example for Ark has every kind, and lives its whole life', (t) =>
  wholeLife(t, {
    folder: 'ark',
    providers: [{ provider: ark, emulator: arkEmulator }],
    drifts: [
      {
        address: 'ark.environment.reading-room',
        change: { config: { networking: { allowed_hosts: ['*'] } }, metadata: { by: 'somebody' } },
        shows: ['config/networking/allowed_hosts', 'metadata/by'],
      },
      { address: 'ark.vault.archive-access', change: { display_name: 'Keys' }, shows: ['display_name'] },
      {
        address: 'ark.vault.archive-access',
        part: 'PAPERS_KEY',
        change: { auth: { networking: { allowed_hosts: ['papers.example.com', 'elsewhere.example.com'] } } },
        shows: ['credentials/PAPERS_KEY/auth/networking/allowed_hosts'],
      },
      { address: 'ark.memory_store.reading-list', change: { description: 'Changed' }, shows: ['description'] },
      {
        address: 'ark.memory_store.terms',
        part: 'glossary/agents.md',
        shows: ['entries/glossary~1agents.md/content', 'entries/glossary~1agents.md/path'],
      },
      { address: 'ark.skill.summaries', shows: 'gone' },
      { address: 'ark.file.outline', shows: 'gone' },
      {
        address: 'ark.agent.critic',
        change: { description: 'Changed by somebody else', system: 'Agree.' },
        shows: ['description', 'system'],
      },
      { address: 'ark.agent.editor', change: { multiagent: null }, shows: ['multiagent/agents'] },
    ],
    untouchable: { 'ark.deployment': 'the service knows nothing of deployments, so that nobody can change one there' },
  }),
)
