// Rules of deployments.
import { agent, type Case, deployment, forward, message, names, repository, store, times } from './case.js'

const foreignOnClaude = '2.16 deployments have no variables and no tunnel, and need initial events'
const limitsOnClaude = '2.16 a deployment has limits, and an environment of its own or of its agent'
const outcome = (more: object = {}) => ({ type: 'user.define_outcome', description: 'Done.', ...more })
const systemMessage = { type: 'system.message', content: 'x' }
const starting = (...initial_events: readonly object[]) => deployment({ initial_events })
const long = 'r'.repeat(262_145)

export const deployments: readonly Case[] = [
  {
    kind: 'deployment',
    on: Object.fromEntries(
      ['ark', 'bailian', 'qoder'].map((provider) => [
        provider,
        ['what only claude can be told is refused elsewhere', 'field-of-claude'],
      ]),
    ),
    passes: [deployment()],
    fails: [[deployment({ budget: { amount: 1 } }), 'budget']],
  },
  {
    kind: 'deployment',
    on: {
      ark: ['2.16 environment variables of a deployment are refused', 'deployment-environment-variables'],
      claude: [foreignOnClaude, 'deployment-foreign-field'],
    },
    passes: [deployment()],
    fails: [[deployment({ environment_variables: { A: 'b' } }), 'environment_variables']],
  },
  {
    kind: 'deployment',
    on: {
      ark: ['2.16 a tunnel of a deployment is refused', 'deployment-tunnel'],
      bailian: ['2.16 a deployment has no tunnel', 'deployment-tunnel'],
      claude: [foreignOnClaude, 'deployment-foreign-field'],
      qoder: [
        '2.16 the tunnel of a deployment is not sent, which a warning reports',
        'deployment-tunnel-dropped',
        'warning',
      ],
    },
    passes: [deployment()],
    fails: [[deployment({ tunnel: 'office' }), 'tunnel']],
  },
  {
    kind: 'deployment',
    on: { bailian: ['2.16 a variable is not called __proto__', 'deployment-variable-name'] },
    passes: [deployment({ environment_variables: { proto: 'x' } })],
    fails: [
      [deployment({ environment_variables: JSON.parse('{"__proto__":"x"}') }), 'environment_variables.__proto__'],
    ],
  },
  {
    kind: 'deployment',
    on: {
      qoder: [
        '2.16 environment variables of a deployment must fit into KEY=VALUE;KEY=VALUE',
        'deployment-environment-variable',
      ],
    },
    passes: [deployment({ environment_variables: { KEY: 'a=b' } })],
    fails: [[deployment({ environment_variables: { KEY: 'a;b' } }), 'environment_variables.KEY']],
  },
  {
    kind: 'deployment',
    on: {
      ark: ['2.16 a deployment or its agent names an environment', 'deployment-environment-missing'],
      claude: [limitsOnClaude, 'deployment-environment-missing'],
      qoder: ['2.16 a deployment has an environment, its own or that of its agent', 'deployment-environment-missing'],
    },
    beside: { 'agent.helper': agent(), 'agent.equipped': agent({ environment: 'box' }), 'agent.template': forward() },
    passes: [
      deployment(),
      deployment({ agent: 'equipped', environment: undefined }),
      deployment({ agent: 'template', environment: undefined }),
    ],
    fails: [[deployment({ environment: undefined }), '']],
  },
  {
    kind: 'deployment',
    on: { qoder: ['2.16 a deployment runs managed agents only', 'deployment-of-forward-agent'] },
    beside: { 'agent.helper': agent(), 'agent.template': forward() },
    passes: [deployment()],
    fails: [[deployment({ agent: 'template' }), 'agent']],
  },
  {
    kind: 'deployment',
    on: {
      claude: [limitsOnClaude, 'deployment-limits'],
      qoder: ['8 a deployment keeps the limits of the API', 'deployment-too-large'],
    },
    passes: [deployment({ vaults: names(50), resources: names(500).map((name) => store(name)) })],
    fails: [
      [deployment({ vaults: names(51) }), 'vaults'],
      [deployment({ resources: names(501).map((name) => store(name)) }), 'resources'],
    ],
  },
  {
    kind: 'deployment',
    on: { claude: [limitsOnClaude, 'deployment-limits'] },
    passes: [starting(outcome({ rubric: 'r'.repeat(262_144) }))],
    fails: [
      [
        starting(outcome({ rubric: long }), outcome({ rubric: { type: 'text', content: long } })),
        'initial_events.0.rubric',
        'initial_events.1.rubric',
      ],
    ],
  },
  {
    kind: 'deployment',
    on: { claude: [foreignOnClaude, 'deployment-outcome'] },
    passes: [starting(outcome({ rubric: 'complete' }))],
    fails: [[starting(outcome({ rubric: 'complete', description: undefined })), 'initial_events.0']],
  },
  {
    kind: 'deployment',
    on: { claude: [foreignOnClaude, 'deployment-without-input'] },
    passes: [deployment(), starting(outcome({ rubric: 'complete' }))],
    fails: [[starting(systemMessage), 'initial_events']],
  },
  {
    kind: 'deployment',
    on: { bailian: ['2.16 a deployment starts with a message', 'deployment-without-message'] },
    passes: [starting(outcome(), message), starting(systemMessage)],
    fails: [[starting(outcome()), 'initial_events']],
  },
  {
    kind: 'deployment',
    on: { bailian: ['2.16 an outcome gets a warning', 'deployment-outcome', 'warning'] },
    passes: [deployment()],
    fails: [[starting(message, outcome()), 'initial_events.1.type']],
  },
  {
    kind: 'deployment',
    on: {
      ark: [
        '2.16 a system message becomes a user message, which a warning reports',
        'deployment-system-message',
        'warning',
      ],
    },
    passes: [deployment()],
    fails: [[starting(message, systemMessage), 'initial_events.1.type']],
  },
  {
    kind: 'deployment',
    on: { ark: ['2.16 a schedule has no effect, which a warning reports', 'deployment-schedule', 'warning'] },
    passes: [deployment()],
    fails: [[deployment({ schedule: { expression: '0 9 * * 1', timezone: 'Asia/Shanghai' } }), 'schedule']],
  },
  {
    kind: 'deployment',
    on: {
      ark: ['2.16 a repository of a deployment is refused', 'deployment-git-repository'],
      bailian: ['2.16 a repository of a deployment gets a warning', 'deployment-repository', 'warning'],
    },
    passes: [deployment({ resources: times(1, () => store('notes')) })],
    fails: [[deployment({ resources: [repository()] }), 'resources.0.type']],
  },
  {
    kind: 'deployment',
    on: { bailian: ['7.8 2.16 a deployment mounts no memory in any form', 'deployment-memory'] },
    beside: {
      'agent.helper': agent(),
      'agent.remembering': agent({ memory_stores: ['s0'] }),
      'agent.mounting': agent({ resources: [store('s0')] }),
    },
    passes: [deployment({ memory_stores: [] })],
    fails: [
      [deployment({ memory_stores: ['s0'] }), 'memory_stores'],
      [deployment({ resources: [store('s0')] }), 'resources.0.type'],
      [deployment({ agent: 'remembering' }), 'agent'],
      [deployment({ agent: 'mounting' }), 'agent'],
    ],
  },
]
