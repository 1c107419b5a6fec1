// The example for all four providers at once.
import t from 'tap'
import { arkEmulator } from '../../plugins/ark/emulator/index.js'
import { ark } from '../../plugins/ark/index.js'
import { bailianEmulator } from '../../plugins/bailian/emulator/index.js'
import { bailian } from '../../plugins/bailian/index.js'
import { claudeEmulator } from '../../plugins/claude/emulator/index.js'
import { claude } from '../../plugins/claude/index.js'
import { qoderEmulator } from '../../plugins/qoder/emulator/index.js'
import { qoder } from '../../plugins/qoder/index.js'
import { type Drift, wholeLife } from './whole-life.js'

const all = ['bailian', 'qoder', 'claude', 'ark'] as const

/** Objects declared once for every provider, changed by hand on each. */
const everywhere: readonly Drift[] = all.flatMap((provider): readonly Drift[] => [
  {
    address: `${provider}.environment.workshop`,
    change: { description: `Changed on ${provider}` },
    shows: ['description'],
    // One declaration cannot have four values.
    isUnsaid: true,
  },
  { address: `${provider}.vault.repository`, change: { display_name: 'Keys' }, shows: ['display_name'] },
  { address: `${provider}.memory_store.lessons`, change: { description: 'Changed' }, shows: ['description'] },
  {
    address: `${provider}.memory_store.vocabulary`,
    part: 'parts.md',
    shows: ['entries/parts.md/content', 'entries/parts.md/path'],
  },
  { address: `${provider}.skill.review`, shows: 'gone' },
  { address: `${provider}.file.handbook`, shows: 'gone' },
  { address: `${provider}.agent.reporter`, change: { description: 'Reports' }, shows: ['description'] },
])

t.test('the example for four providers has every kind, and lives its whole life', (t) =>
  wholeLife(t, {
    folder: 'four-providers',
    providers: [
      { provider: bailian, emulator: bailianEmulator },
      { provider: qoder, emulator: qoderEmulator },
      { provider: claude, emulator: claudeEmulator },
      { provider: ark, emulator: arkEmulator },
    ],
    drifts: [
      ...everywhere,
      ...(['bailian', 'qoder', 'claude'] as const).map((provider) => ({
        address: `${provider}.deployment.weekly-report`,
        change: { description: 'A page' },
        shows: ['description'],
        // On Ark only state records the deployment, so nobody can have changed it there.
        isUnsaid: true as const,
      })),
      { address: 'qoder.identity.contributor', change: { name: 'Somebody' }, shows: ['name'] },
      { address: 'qoder.channel.contributors', change: { name: 'Chat' }, shows: ['name'] },
      { address: 'qoder.agent.greeter', change: { description: 'Greets' }, shows: ['description'] },
    ],
    untouchable: {
      'ark.deployment': 'the service knows nothing of deployments, so that nobody can change one there',
      'qoder.tunnel': 'tunnels are only referred to',
    },
  }),
)
