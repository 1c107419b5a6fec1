// The emulated Claude API.
import type { EmulatedProvider } from '../../emulator/contract.js'
import { agentCollection, agentRoutes, agentVersionCollection } from './agents.js'
import { credentialCollection, credentialRoutes } from './credentials.js'
import { deploymentRunCollection, deploymentRunRoutes } from './deployment-runs.js'
import { deploymentCollection, deploymentRoutes } from './deployments.js'
import { dialectOf } from './dialects.js'
import { environmentCollection, environmentRoutes } from './environments.js'
import { authorize, errorAnswer } from './errors.js'
import { fileCollection, fileRoutes } from './files.js'
import { memoryCollection, memoryRoutes } from './memories.js'
import { memoryStoreCollection, memoryStoreRoutes } from './memory-stores.js'
import { memoryVersionCollection, memoryVersionRoutes } from './memory-versions.js'
import { oauthRoutes, signInKnobs } from './oauth.js'
import { sessionEventCollection, sessionEventRoutes } from './session-events.js'
import { sessionResourceCollection, sessionResourceRoutes } from './session-resources.js'
import { sessionCollection, sessionRoutes } from './sessions.js'
import { skillVersionCollection, skillVersionRoutes } from './skill-versions.js'
import { seedCatalogue, skillCollection, skillRoutes } from './skills.js'
import { turnKnobs } from './turns.js'
import { vaultCollection, vaultRoutes } from './vaults.js'

export const claudeEmulator: EmulatedProvider = {
  provider: 'claude',
  apis: [
    {
      prefix: '/claude/v1',
      authorize,
      error: errorAnswer,
      finish: (answer, { requestId }) => ({ ...answer, headers: { 'request-id': requestId, ...answer.headers } }),
      routes: [
        ...oauthRoutes,
        ...environmentRoutes,
        ...vaultRoutes,
        ...credentialRoutes,
        ...skillRoutes,
        ...skillVersionRoutes,
        ...fileRoutes,
        ...agentRoutes,
        ...memoryStoreRoutes,
        ...memoryRoutes,
        ...memoryVersionRoutes,
        ...deploymentRoutes,
        ...deploymentRunRoutes,
        ...sessionRoutes,
        ...sessionResourceRoutes,
        ...sessionEventRoutes,
      ],
    },
  ],
  collections: {
    environment: environmentCollection,
    vault: vaultCollection,
    credential: credentialCollection,
    skill: skillCollection,
    skill_version: skillVersionCollection,
    file: fileCollection,
    agent: agentCollection,
    agent_version: agentVersionCollection,
    memory_store: memoryStoreCollection,
    memory: memoryCollection,
    memory_version: memoryVersionCollection,
    deployment: deploymentCollection,
    deployment_run: deploymentRunCollection,
    session: sessionCollection,
    session_resource: sessionResourceCollection,
    session_event: sessionEventCollection,
  },
  dialect: (name) => dialectOf(claudeEmulator, name),
  knobs: { ...turnKnobs, ...signInKnobs },
  secretMembers: ['assertion'],
  seed: seedCatalogue,
}
