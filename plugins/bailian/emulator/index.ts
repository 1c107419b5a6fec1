// The emulated bailian API.
import { Type } from 'typebox'
import type { EmulatedProvider } from '../../emulator/contract.js'
import { Knob } from '../../emulator/knobs.js'
import { agentRoutes, agents, agentVersions } from './agents.js'
import { credentialRoutes, credentials } from './credentials.js'
import { deploymentRunRoutes, deploymentRuns } from './deployment-runs.js'
import { deploymentKnobs, deploymentRoutes, deployments } from './deployments.js'
import { environmentRoutes, environments } from './environments.js'
import { authorize, errorAnswer, withRequestId } from './errors.js'
import { fileRoutes, files } from './files.js'
import { memories, memoryRoutes, memoryVersions } from './memories.js'
import { memoryStoreRoutes, memoryStores } from './memory-stores.js'
import { sessionEventRoutes, sessionEvents } from './session-events.js'
import { sessionResourceRoutes, sessionResources } from './session-resources.js'
import { sessionRoutes, sessions } from './sessions.js'
import { seedSkills, skillRoutes, skills, skillVersions } from './skills.js'
import { turnKnobs } from './turns.js'
import { vaultRoutes, vaults } from './vaults.js'

export const bailianEmulator: EmulatedProvider = {
  provider: 'bailian',
  apis: [
    {
      prefix: '/bailian/api/v1/agentstudio',
      authorize,
      routes: [
        ...environmentRoutes,
        ...vaultRoutes,
        ...credentialRoutes,
        ...fileRoutes,
        ...skillRoutes,
        ...agentRoutes,
        ...memoryStoreRoutes,
        ...memoryRoutes,
        ...deploymentRoutes,
        ...deploymentRunRoutes,
        ...sessionRoutes,
        ...sessionResourceRoutes,
        ...sessionEventRoutes,
      ],
      error: errorAnswer,
      finish: withRequestId,
    },
  ],
  collections: {
    environments,
    vaults,
    credentials,
    files,
    skills,
    skill_versions: skillVersions,
    agents,
    agent_versions: agentVersions,
    memory_stores: memoryStores,
    memories,
    memory_versions: memoryVersions,
    deployments,
    deployment_runs: deploymentRuns,
    sessions,
    session_resources: sessionResources,
    session_events: sessionEvents,
  },
  seed: seedSkills,
  knobs: {
    models: Knob(
      Type.Array(Type.String()),
      ['qwen3.8-max', 'qwen3.7-max', 'qwen3.7-plus'],
      'Models that agents can use.',
    ),
    skillWords: Knob(
      Type.Enum(['reference', 'live']),
      'reference',
      'Names of the states of scans: those of the reference, or those observed at the service.',
    ),
    skillDownload: Knob(Type.Enum(['content', 'download']), 'content', 'Last segment of the download path of skills.'),
    skillFileNotFound: Knob(
      Type.Integer({ minimum: 0 }),
      0,
      'How many registrations after each upload fail with SKILL_FILE_NOT_FOUND.',
    ),
    refusesVersions: Knob(
      Type.Boolean(),
      false,
      'Whether scans accept archives as files but refuse the versions of skills made from them.',
    ),
    ...deploymentKnobs,
    ...turnKnobs,
  },
}
