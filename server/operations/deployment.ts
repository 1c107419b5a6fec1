// The deployment itself.
import { Type } from 'typebox'
import { operation } from '../operation.js'
import { Nullable } from '../schemas/ids.js'

const LicenseStatus = Type.Object({
  license: Type.Object({ status: Type.String(), name: Type.String() }),
  reporting: Nullable(Type.Unknown()),
  usage: Nullable(Type.Unknown()),
})

export const deploymentOperations = [
  operation({
    name: 'deployment.licenseStatus',
    summary: 'Whether the deployment needs a licence (it does not)',
    plane: 'deployment',
    method: 'GET',
    path: '/v1/deployment/license/status',
    authority: { kind: 'api-token' },
    input: {},
    answer: LicenseStatus,
    handle: async () => ({
      license: { status: 'unlicensed', name: 'AGPL-3.0-or-later' },
      reporting: null,
      usage: null,
    }),
  }),
] as const
