// The emulated Qoder: two APIs over one account.
import { Type } from 'typebox'
import type { EmulatedProvider } from '../../emulator/contract.js'
import { Knob } from '../../emulator/knobs.js'
import { agentCollection, agentRoutes, agentVersionCollection } from './agents.js'
import { channelCollection, channelRoutes } from './channels.js'
import { credentialCollection, credentialRoutes } from './credentials.js'
import { deploymentCollection, deploymentRoutes, deploymentRunCollection } from './deployments.js'
import { authorize, errorOf, finish } from './envelope.js'
import { environmentCollection, environmentRoutes } from './environments.js'
import { eventCollection } from './events.js'
import { fileCollection, fileRoutes } from './files.js'
import { modelRoutes, seed, tunnelCollection } from './fixtures.js'
import { forwardSessionCollection, forwardSessionRoutes } from './forward-sessions.js'
import { idempotencyCollection } from './idempotency.js'
import { identityCollection, identityRoutes } from './identities.js'
import { memoryCollection, memoryRoutes, memoryVersionCollection } from './memories.js'
import { memoryStoreCollection, memoryStoreRoutes } from './memory-stores.js'
import { mountCollection, mountRoutes } from './mounts.js'
import { sessionCollection, sessionRoutes } from './sessions.js'
import { skillCollection, skillRoutes, skillVersionCollection } from './skills.js'
import { templateCollection, templateRoutes } from './templates.js'
import { vaultCollection, vaultRoutes } from './vaults.js'

export const qoderEmulator: EmulatedProvider = {
  provider: 'qoder',
  apis: [
    {
      prefix: '/qoder/api/v1/cloud',
      authorize,
      error: errorOf('managed'),
      finish,
      routes: [
        ...agentRoutes,
        ...environmentRoutes('managed'),
        ...vaultRoutes('managed'),
        ...credentialRoutes('managed'),
        ...skillRoutes('managed'),
        ...fileRoutes('managed'),
        ...memoryStoreRoutes('managed'),
        ...memoryRoutes('managed'),
        ...deploymentRoutes,
        ...sessionRoutes,
        ...modelRoutes,
      ],
    },
    {
      prefix: '/qoder/api/v1/forward',
      authorize,
      error: errorOf('forward'),
      finish,
      routes: [
        ...templateRoutes,
        ...identityRoutes,
        ...channelRoutes,
        ...environmentRoutes('forward'),
        ...vaultRoutes('forward'),
        ...credentialRoutes('forward'),
        ...skillRoutes('forward'),
        ...fileRoutes('forward'),
        ...memoryStoreRoutes('forward'),
        ...memoryRoutes('forward'),
        ...mountRoutes,
        ...forwardSessionRoutes,
        ...modelRoutes,
      ],
    },
  ],
  collections: {
    agents: agentCollection,
    agent_versions: agentVersionCollection,
    environments: environmentCollection('managed'),
    forward_environments: environmentCollection('forward'),
    vaults: vaultCollection('managed'),
    forward_vaults: vaultCollection('forward'),
    credentials: credentialCollection,
    skills: skillCollection('managed'),
    forward_skills: skillCollection('forward'),
    skill_versions: skillVersionCollection,
    files: fileCollection('managed'),
    forward_files: fileCollection('forward'),
    memory_stores: memoryStoreCollection,
    memories: memoryCollection,
    memory_versions: memoryVersionCollection,
    mounts: mountCollection,
    templates: templateCollection,
    identities: identityCollection,
    channels: channelCollection,
    tunnels: tunnelCollection,
    deployments: deploymentCollection,
    deployment_runs: deploymentRunCollection,
    sessions: sessionCollection,
    forward_sessions: forwardSessionCollection,
    events: eventCollection,
    [idempotencyCollection]: { kind: 'idempotency', isTopLevel: false, isPermanent: true },
  },
  seed,
  knobs: {
    dialect: Knob(
      Type.Enum(['both', 'pages', 'sdk']),
      'both',
      'Form of the API. pages: cursors are ids. sdk: agents have no PUT and no DELETE, and models are objects. both: the request selects the form.',
    ),
    staleSessionCount: Knob(
      Type.Boolean(),
      false,
      'Whether ended sessions still count when an environment is removed, so that it must be archived.',
    ),
    unmountAfter: Knob(
      Type.Integer({ minimum: 0 }),
      2,
      'Number of requests until the system unmounts a store whose identity or template is gone.',
    ),
  },
  secretMembers: ['credentials', 'app_secret', 'client_secret', 'secret', 'token', 'secret_value'],
}
