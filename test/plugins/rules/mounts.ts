// Rules of what agents and deployments mount.
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import { agent, type Case, deployment, forward, type Name, names, repository, store } from './case.js'

const files = (...mounts: readonly unknown[]) => agent({ files: mounts })
const at = (mount_path: string, file = 'f') => ({ file, mount_path })
const of = { agent, deployment } as const
const bothKinds = ['agent', 'deployment'] as const
const inDeployment = (more: object) => deployment({ resources: [{ type: 'file', file_id: 'file_1', ...more }] })

const pathsOnClaude = '7.9 an absolute mount path outside /workspace is refused'
const twiceOnClaude = '2.14 nothing is mounted twice, and repositories need https URLs'

/** Absolute paths lie below the root; `others` do not. */
const mountPaths = (
  provider: Name,
  root: string,
  others: readonly string[],
  titles: Readonly<Record<'agent' | 'deployment', string>>,
): readonly Case[] => [
  {
    kind: 'agent',
    on: { [provider]: [titles.agent, 'mount-path'] },
    passes: [files('f', at('in/f'), at(`${root}/f`))],
    fails: others.map((path) => [files(at(path)), 'files.0.mount_path'] as const),
  },
  {
    kind: 'deployment',
    on: { [provider]: [titles.deployment, 'mount-path'] },
    passes: [inDeployment({ mount_path: 'f' }), inDeployment({ mount_path: `${root}/f` })],
    fails: others.map((path) => [inDeployment({ mount_path: path }), 'resources.0.mount_path'] as const),
  },
]

const places: readonly Case[] = [
  ...mountPaths('ark', '/mnt', ['/data/a', '/mntx/a', '../b'], {
    agent: '7.9 an absolute mount path outside the root is refused',
    deployment: '7.9 an absolute mount path of a deployment outside the root is refused',
  }),
  ...mountPaths('bailian', '/mnt', ['/data/f', '/mntx/f', '/uploads/f'], {
    agent: '7.9 an absolute mount path of an agent’s file lies below /mnt',
    deployment: '7.9 an absolute mount path of a deployment’s file lies below /mnt',
  }),
  ...mountPaths('claude', '/workspace', ['/mnt/report.csv'], { agent: pathsOnClaude, deployment: pathsOnClaude }),
  ...mountPaths('qoder', '/data', ['/workspace/a.csv', '/mnt/a.csv'], {
    agent: '7.9 mount paths of an agent lie below /data, those of repositories are absolute',
    deployment: '7.9 mount paths of a deployment lie below /data',
  }),
  {
    kind: 'agent',
    on: {
      qoder: ['7.9 mount paths of an agent lie below /data, those of repositories are absolute', 'mount-path'],
    },
    passes: [agent({ resources: [repository(), repository({ mount_path: '/data/repo' })] })],
    fails: [
      [agent({ resources: [repository({ mount_path: '/workspace/repo' })] }), 'resources.0.mount_path'],
      [agent({ resources: [repository({ mount_path: 'repo' })] }), 'resources.0.mount_path'],
    ],
  },
  ...bothKinds.map(
    (kind): Case => ({
      kind,
      on: { claude: [pathsOnClaude, 'mount-path'] },
      passes: [],
      fails: [[of[kind]({ resources: [repository({ mount_path: '/data/a' })] }), 'resources.0.mount_path']],
    }),
  ),
  {
    kind: 'agent',
    on: {
      ark: [
        '2.11 a file without a mount path is not mounted, which a warning reports',
        'file-without-mount-path',
        'warning',
      ],
      bailian: ['2.11 a file without a mount path gets a warning', 'file-without-mount-path', 'warning'],
      claude: [pathsOnClaude, 'agent-file-without-mount-path', 'warning'],
      qoder: [
        '2.11 a file of a managed agent without a mount path is not mounted, which a warning reports',
        'file-without-mount-path',
        'warning',
      ],
    },
    passes: [files(at('f.md'))],
    fails: [[files('f', at('f.md'), 'g'), 'files.0', 'files.2']],
  },
  {
    kind: 'agent',
    on: {
      qoder: [
        '2.11 a file of a managed agent without a mount path is not mounted, which a warning reports',
        'file-without-mount-path',
        'warning',
      ],
    },
    passes: [forward({ files: ['f'] })],
    fails: [],
  },
  {
    kind: 'deployment',
    on: { bailian: ['2.16 a file of a deployment has a mount path', 'deployment-file'] },
    passes: [inDeployment({ mount_path: 'f' })],
    fails: [[inDeployment({}), 'resources.0']],
  },
]

const onceInAgent = '2.14 an agent has one thing in one place'
const onceInDeployment = '2.14 a deployment has one thing in one place'
const source = (name: string, mount_path: string) => ({ type: 'file', source: name, mount_path })
const tools = repository({ url: 'https://git.example/acme/tools.git' })

const selfHosted = [
  '2.14 files and repositories are not mounted on machines of one’s own',
  'self-hosted-mount',
] as const
const ownMachines = {
  'environment.own': { config: { type: 'self_hosted' } },
  'environment.box': { config: { type: 'cloud' } },
  'agent.mounting': agent({ files: [at('f')], environment: 'box' }),
}
const everyMount = [{ type: 'file', file_id: 'file_1', mount_path: 'f' }, repository(), store('notes')]

const onOwnMachines: readonly Case[] = [
  {
    kind: 'agent',
    on: { claude: selfHosted },
    beside: ownMachines,
    passes: [
      agent({ environment: 'box', files: [at('f')], resources: [repository()] }),
      agent({ environment: 'own', files: ['f'], resources: [store('notes')] }),
    ],
    fails: [
      [
        agent({ environment: 'own', files: ['f', at('g')], resources: [store('notes'), repository()] }),
        'files.1',
        'resources.1',
      ],
    ],
  },
  {
    kind: 'deployment',
    on: { claude: selfHosted },
    beside: ownMachines,
    passes: [deployment({ resources: everyMount }), deployment({ environment: 'own', resources: [store('notes')] })],
    fails: [
      [deployment({ environment: 'own', resources: everyMount }), 'resources.0', 'resources.1'],
      [deployment({ environment: 'own', agent: 'mounting' }), 'environment'],
    ],
  },
]

const repetitions: readonly Case[] = [
  {
    kind: 'agent',
    on: {
      ark: [onceInAgent, 'mount-repeated'],
      bailian: [onceInAgent, 'mount-repeated'],
      claude: [twiceOnClaude, 'mount-repeated'],
      qoder: [onceInAgent, 'mount-repeated'],
    },
    passes: [files(at('a'), at('b', 'g'))],
    fails: [[files(at('a'), at('./a', 'g')), 'files.1']],
  },
  {
    kind: 'deployment',
    on: {
      ark: [onceInDeployment, 'mount-repeated'],
      bailian: [onceInDeployment, 'mount-repeated'],
      claude: [twiceOnClaude, 'mount-repeated'],
      qoder: [onceInDeployment, 'mount-repeated'],
    },
    passes: [deployment({ resources: [source('a', 'a')] })],
    fails: [[deployment({ resources: [source('a', 'a'), source('b', './a')] }), 'resources.1']],
  },
  {
    kind: 'agent',
    on: { qoder: [onceInAgent, 'mount-repeated'] },
    passes: [],
    fails: [[agent({ resources: [store('s'), store('s')] }), 'resources.1']],
  },
  ...bothKinds.map(
    (kind): Case => ({
      kind,
      on: { claude: [twiceOnClaude, 'mount-repeated'] },
      passes: [
        of[kind]({ resources: [store('wiki'), store('log'), tools] }),
        of[kind]({ resources: [tools, repository({ url: 'https://git.example/other/tools', mount_path: 'other' })] }),
      ],
      fails: [
        [of[kind]({ resources: [store('wiki'), store('wiki')] }), 'resources.1'],
        [of[kind]({ resources: [tools, repository({ url: 'https://git.example/other/tools' })] }), 'resources.1'],
        [of[kind]({ resources: [tools, { ...tools, mount_path: '/workspace/tools' }] }), 'resources.1'],
      ],
    }),
  ),
  ...bothKinds.map(
    (kind): Case => ({
      kind,
      on: { claude: [twiceOnClaude, 'repository-url'] },
      passes: [
        of[kind]({ resources: [tools] }),
        of[kind]({ resources: [repository({ url: variablePlaceholder('URL') })] }),
      ],
      fails: ['http://git.example/acme/tools', 'https://x:y@git.example/a'].map(
        (url) => [of[kind]({ resources: [repository({ url })] }), 'resources.0.url'] as const,
      ),
    }),
  ),
  {
    kind: 'agent',
    on: {
      ark: ['2.14 a repository is refused', 'agent-git-repository'],
      bailian: ['2.14 repositories are not mounted into sessions', 'repository-mount'],
    },
    passes: [agent({ resources: [store('notes')] })],
    fails: [[agent({ resources: [store('notes'), repository()] }), 'resources.1.type']],
  },
]

/** The stores that a session mounts, `max` at most. */
const distinctStores = (provider: Name, max: number, title: string, code: string): Case => ({
  kind: 'agent',
  on: { [provider]: [title, code] },
  passes: [agent({ memory_stores: names(max), resources: [store('n0')] })],
  fails: [
    [agent({ memory_stores: names(max), resources: [store('other')] }), 'memory_stores'],
    [agent({ resources: names(max + 1).map((name) => store(name)) }), 'resources'],
  ],
})

const memory: readonly Case[] = [
  {
    kind: 'agent',
    on: {
      ark: ['2.14 a memory store is mounted once', 'agent-duplicate-memory-mount'],
      bailian: ['7.8 a memory store is mounted once', 'duplicate-memory-mount'],
    },
    passes: [agent({ memory_stores: ['a'], resources: [store('a'), store('b')] })],
    fails: [[agent({ resources: [store('a'), store('b'), store('a')] }), 'resources.2.memory_store']],
  },
  distinctStores('ark', 10, '2.14 a session mounts ten distinct memory stores', 'agent-too-many-memory-stores'),
  distinctStores('bailian', 8, '7.8 at most eight distinct memory stores are mounted', 'too-many-memory-stores'),
  {
    kind: 'agent',
    on: {
      qoder: [
        '2.11 ten stores are mounted for an identity and a template, and not one more',
        'forward-memory-too-many',
      ],
    },
    passes: [forward({ memory_stores: names(10) }), agent({ memory_stores: names(11) })],
    fails: [[forward({ memory_stores: names(11) }), 'memory_stores']],
  },
]

export const mounts: readonly Case[] = [...places, ...onOwnMachines, ...repetitions, ...memory]
