// The emulated Claude API.
import type { EmulatedProvider } from '../../emulator/contract.js'
import { agentCollection, agentRoutes, agentVersionCollection } from './agents.js'
import { credentialCollection, credentialRoutes } from './credentials.js'
import { environmentCollection, environmentRoutes } from './environments.js'
import { authorize, errorAnswer } from './errors.js'
import { fileCollection, fileRoutes } from './files.js'
import { skillVersionCollection, skillVersionRoutes } from './skill-versions.js'
import { seedCatalogue, skillCollection, skillRoutes } from './skills.js'
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
        ...environmentRoutes,
        ...vaultRoutes,
        ...credentialRoutes,
        ...skillRoutes,
        ...skillVersionRoutes,
        ...fileRoutes,
        ...agentRoutes,
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
  },
  seed: seedCatalogue,
}
