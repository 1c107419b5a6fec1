// The example for Qoder.
import t from 'tap'
import { qoderEmulator } from '../../plugins/qoder/emulator/index.js'
import { qoder } from '../../plugins/qoder/index.js'
import { wholeLife } from './whole-life.js'

t.test('the example for Qoder has every kind, and lives its whole life', (t) =>
  wholeLife(t, {
    folder: 'qoder',
    providers: [{ provider: qoder, emulator: qoderEmulator }],
    drifts: [
      {
        address: 'qoder.environment.workshop',
        change: { config: { networking: { allowed_hosts: ['*'] } }, metadata: { by: 'somebody' } },
        shows: ['config/networking/allowed_hosts', 'metadata/by'],
      },
      {
        address: 'qoder.environment.desk',
        change: { config: { packages: { pip: ['rich'] } } },
        shows: ['config/packages/pip'],
      },
      { address: 'qoder.vault.review-keys', change: { display_name: 'Keys' }, shows: ['display_name'] },
      {
        address: 'qoder.vault.review-keys',
        part: 'environment_variable GIT_TOKEN',
        change: { auth: { networking: { type: 'limited', allowed_hosts: ['elsewhere.example.com'] } } },
        shows: ['credentials/environment_variable GIT_TOKEN/auth/networking/allowed_hosts'],
      },
      { address: 'qoder.vault.desk-keys', change: { display_name: 'Keys of the desk' }, shows: ['display_name'] },
      { address: 'qoder.memory_store.findings', change: { description: 'Changed' }, shows: ['description'] },
      {
        address: 'qoder.memory_store.policies',
        part: 'returns.md',
        shows: ['entries/returns.md/content', 'entries/returns.md/path'],
      },
      { address: 'qoder.skill.review', shows: 'gone' },
      { address: 'qoder.file.checklist', shows: 'gone' },
      { address: 'qoder.identity.visitor', change: { name: 'Somebody' }, shows: ['name'] },
      { address: 'qoder.agent.lead', change: { system: 'Rest.' }, shows: ['system'] },
      { address: 'qoder.agent.help-desk', change: { description: 'Changed' }, shows: ['description'] },
      { address: 'qoder.channel.shop-chat', change: { name: 'Chat' }, shows: ['name'] },
      { address: 'qoder.deployment.nightly-review', change: { description: 'Changed' }, shows: ['description'] },
    ],
    untouchable: { 'qoder.tunnel': 'tunnels are only referred to' },
  }),
)
