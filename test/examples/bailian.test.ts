// The example for Bailian.
import t from 'tap'
import { bailianEmulator } from '../../plugins/bailian/emulator/index.js'
import { bailian } from '../../plugins/bailian/index.js'
import { wholeLife } from './whole-life.js'

t.test('the example for Bailian has every kind, and lives its whole life', (t) =>
  wholeLife(t, {
    folder: 'bailian',
    providers: [{ provider: bailian, emulator: bailianEmulator }],
    drifts: [
      {
        address: 'bailian.environment.figures',
        change: { config: { packages: { pip: ['polars'] } }, metadata: { by: 'somebody' } },
        shows: ['config/packages/pip', 'metadata/by'],
      },
      { address: 'bailian.vault.warehouse-access', change: { display_name: 'Keys' }, shows: ['display_name'] },
      {
        address: 'bailian.vault.warehouse-access',
        part: 'WAREHOUSE_KEY',
        change: { auth: { networking: { allowed_hosts: ['*'] } } },
        shows: ['credentials/WAREHOUSE_KEY/auth/networking/allowed_hosts'],
      },
      {
        address: 'bailian.memory_store.findings',
        change: { metadata: { weeks: 27, theirs: true } },
        shows: ['metadata/weeks'],
      },
      {
        address: 'bailian.memory_store.definitions',
        part: 'revenue.md',
        change: { content: 'Revenue is what is paid.' },
        shows: ['entries/revenue.md/content'],
        isUnsaid: true,
      },
      { address: 'bailian.skill.charts', shows: 'gone' },
      { address: 'bailian.file.regions', shows: 'gone' },
      {
        address: 'bailian.agent.analyst',
        change: { description: 'Changed by somebody else', model: { id: 'qwen3.7-plus' } },
        shows: ['description', 'model/id'],
      },
      {
        address: 'bailian.agent.desk',
        change: { multiagent: { agents: [] } },
        shows: ['multiagent/agents'],
      },
      {
        address: 'bailian.deployment.weekly-page',
        change: { environment_variables: { CURRENCY: 'EUR' }, schedule: { expression: '0 8 * * 1' } },
        shows: ['environment_variables/CURRENCY', 'schedule/expression'],
      },
    ],
  }),
)
