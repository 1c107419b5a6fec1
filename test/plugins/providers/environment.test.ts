// Environments on every provider, against the emulators.
import t from 'tap'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openForward, openQoder } from '../qoder/subject.js'
import { type Course, testCourses } from './course.js'

const networking = {
  type: 'limited',
  allow_package_managers: true,
  allow_mcp_servers: true,
  allowed_hosts: ['b.example', 'a.example'],
}
const packages = { pip: ['pandas', 'numpy'], apt: ['jq'], npm: ['tsx'] }
const unlimited = {
  description: 'For reviews',
  config: { type: 'cloud', packages },
  metadata: { team: 'data' },
}
const limited = { ...unlimited, config: { ...unlimited.config, networking } }
const minimal = { config: { type: 'cloud' } }

/** Changes that every provider takes. */
const changes = (full: typeof unlimited): readonly object[] => {
  const config = (change: object) => ({ ...full, config: { ...full.config, ...change } })
  return [
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    config({ packages: { ...packages, pip: ['pandas'] } }),
    config({ packages: { pip: ['pandas'] } }),
    config({ packages: undefined }),
    { ...full, metadata: { team: 'other', owner: 'me' } },
    { ...full, metadata: undefined },
    minimal,
    full,
  ]
}
const networks = [
  { packages, networking: { type: 'unrestricted' } },
  { networking: { type: 'limited' } },
  { packages, networking: { type: 'limited', allow_package_managers: true } },
  { packages, networking: { ...networking, allow_mcp_servers: undefined } },
  { packages, networking: { ...networking, allowed_hosts: ['a.example'] } },
  { packages, networking: { ...networking, allowed_hosts: [] } },
].map((config) => ({ ...limited, config: { type: 'cloud', ...config } }))
const named = [{ ...unlimited, name: 'Other' }, unlimited]
const scripts = ['echo ready\n', undefined].map((setup_script) => ({
  ...unlimited,
  config: { ...unlimited.config, setup_script },
}))

const stranger = { description: 'by hand', metadata: { by: 'hand', 'agents.resource': null } }
const seenOfStranger = ['description', 'metadata/agents.resource', 'metadata/by']
const byHand = {
  change: { ...stranger, config: { packages: { npm: ['tsx', 'zx'] } } },
  seen: ['config/packages/npm', ...seenOfStranger],
}
const byHandInNetwork = {
  change: { ...stranger, config: { packages: { npm: ['tsx', 'zx'] }, networking: { allow_mcp_servers: false } } },
  seen: ['config/networking/allow_mcp_servers', 'config/packages/npm', ...seenOfStranger],
}
const reordered = { packages: { pip: ['numpy', 'pandas'] } }
const hosts = { networking: { allowed_hosts: ['a.example', 'b.example'] } }

const courses: Readonly<Record<string, Course>> = {
  ark: {
    open: openArk,
    full: limited,
    updateSends: ['description'],
    others: { plain: minimal, empty: {} },
    changes: [...changes(limited), ...networks],
    byHand: byHandInNetwork,
    noise: {
      change: { scope: 'account', config: { ...hosts, env: { LANG: 'C' }, tos: { bucket: 'results' } } },
    },
  },
  bailian: {
    open: openBailian,
    full: unlimited,
    updateSends: ['description'],
    others: { plain: minimal },
    made: () => ({
      config: { type: 'cloud', networking: { type: 'unrestricted' } },
      metadata: { team: 'data', 'agents.project': 'demo', 'agents.resource': 'subject' },
    }),
    changes: [...changes(unlimited), ...named],
    byHand,
    noise: { change: { config: reordered } },
    archivedAt: '/environments',
  },
  claude: {
    open: openClaude,
    full: limited,
    updateSends: ['description'],
    others: { plain: minimal },
    changes: [...changes(limited), ...networks, ...named],
    byHand: byHandInNetwork,
    noise: { change: { scope: 'account', config: { ...reordered, ...hosts } } },
    archivedAt: '/environments',
  },
  'qoder, managed': {
    open: openQoder,
    full: limited,
    updateSends: ['description'],
    others: {
      bare: {},
      cloud: minimal,
      own: { config: { type: 'self_hosted' } },
      script: { config: { type: 'self_hosted', setup_script: 'true' } },
      open: { config: { type: 'cloud', networking: { type: 'unrestricted' } } },
      closed: { config: { type: 'cloud', networking: { type: 'limited' } } },
      implied: { config: { type: 'cloud', networking: { allowed_hosts: ['a.example'] } } },
    },
    changes: [...changes(limited), ...networks, ...named, ...scripts],
    byHand: byHandInNetwork,
    noise: { change: { config: { ...reordered, ...hosts } } },
    archivedAt: '/environments',
  },
  'qoder, forward': {
    open: openForward,
    full: unlimited,
    updateSends: ['description'],
    others: {
      bare: {},
      own: { config: { type: 'self_hosted', setup_script: 'true' } },
      open: { config: { type: 'cloud', networking: { type: 'unrestricted' } } },
    },
    changes: [...changes(unlimited), ...named, ...scripts],
    byHand,
    noise: { change: { config: reordered } },
  },
}

testCourses(t, 'environment', courses)

for (const provider of ['ark', 'claude', 'qoder, managed'])
  t.test(provider, (t) =>
    t.test('2.5 hosts without a type make a limited network', async (t) => {
      const bench = await courses[provider]?.open(t)
      bench?.declare('environment', 'sandbox', {
        config: { type: 'cloud', networking: { allowed_hosts: ['a.example'] } },
      })
      const created = await bench?.create('environment', 'sandbox')
      t.match(created?.['config'], { networking: { type: 'limited', allowed_hosts: ['a.example'] } })
      bench?.declare('environment', 'closed', { config: { type: 'cloud', networking: { allow_mcp_servers: true } } })
      const closed = await bench?.create('environment', 'closed')
      t.match(closed?.['config'], { networking: { type: 'limited', allow_mcp_servers: true } })
    }),
  )
