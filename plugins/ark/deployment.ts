// Deployments, which the API lacks: they are stored in the state file only, and a run is a new session.
import { handler, type Remote } from '../../core/plugin/handler.js'
import type { DeploymentBody } from '../kinds/deployment-body.js'
import { uploadsOf } from '../shared/deployment-parts.js'
import type { ArkClient } from './client.js'
import { deploymentRun } from './deployment-run.js'
import { defaultPurpose } from './file.js'

/** Placeholder for calls that the engine never makes without a remote object. */
const nothing = async (): Promise<Remote> => ({})

export const deployment = handler<ArkClient, DeploymentBody>({
  kind: 'deployment',
  support: {
    level: 'emulated',
    reason: 'kept in the state file only; a run is a new session, and nothing runs by itself',
    instead: 'start runs with `agents deployment run`, from a scheduler of your own where one is needed',
  },
  form: 1,
  isStateOnly: true,
  // Nothing can be observed: only the declaration can change.
  fields: { '*': { writeOnly: true } },

  desired: deploymentRun,
  derive: (declaration) => uploadsOf(declaration, { purpose: defaultPurpose }),
  observed: () => ({}),
  outputs: () => ({ id: '' }),

  read: nothing,
  create: nothing,
  update: nothing,
  remove: async () => {},
  removal: 'delete',

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'repeat' },
})
