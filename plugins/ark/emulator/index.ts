// The emulated API of Volcengine Ark.
import type { EmulatedProvider } from '../../emulator/contract.js'
import { agentRoutes, agents, agentVersions } from './agents.js'
import { credentialRoutes, credentials } from './credentials.js'
import { environmentRoutes, environments } from './environments.js'
import { authorize, errorAnswer } from './errors.js'
import { fileRoutes, files } from './files.js'
import { knobs } from './knobs.js'
import { memories, memoryRoutes } from './memories.js'
import { memoryStoreRoutes, memoryStores } from './memory-stores.js'
import { sessionEventRoutes, sessionEvents } from './session-events.js'
import { sessionResourceRoutes } from './session-resources.js'
import { sessionRoutes, sessions } from './sessions.js'
import { skillRoutes, skills } from './skills.js'
import { vaultRoutes, vaults } from './vaults.js'

export const arkEmulator: EmulatedProvider = {
  provider: 'ark',
  apis: [
    {
      prefix: '/ark/api/v3',
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
        ...sessionRoutes,
        ...sessionResourceRoutes,
        ...sessionEventRoutes,
      ],
      error: errorAnswer,
      finish: (answer, { requestId }) => ({ ...answer, headers: { ...answer.headers, 'x-request-id': requestId } }),
    },
  ],
  collections: {
    environments,
    vaults,
    credentials,
    files,
    skills,
    agents,
    agentVersions,
    memoryStores,
    memories,
    sessions,
    sessionEvents,
  },
  knobs,
}
