// The emulated bailian API.
import type { EmulatedProvider } from '../../emulator/contract.js'
import { agentRoutes, agents, agentVersions } from './agents.js'
import { credentialRoutes, credentials } from './credentials.js'
import { environmentRoutes, environments } from './environments.js'
import { authorize, errorAnswer, withRequestId } from './errors.js'
import { fileRoutes, files } from './files.js'
import { seedSkills, skillRoutes, skills, skillVersions } from './skills.js'
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
  },
  seed: seedSkills,
  knobs: {
    /** `live`: the words the service was seen to use for the states of a scan. */
    skillWords: 'reference',
    /** How many registrations after each upload fail with SKILL_FILE_NOT_FOUND. */
    skillFileNotFound: 0,
    /** Scans let archives pass as files and refuse the versions made of them. */
    refusesVersions: false,
  },
}
