// Operations on the deployment: licence status and backup.
import { Type } from 'typebox'
import { archiveType, sendBackup } from '../backup/send.js'
import { operation } from '../operation/operation.js'
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
  operation({
    name: 'deployment.backup',
    summary: 'A consistent backup of the deployment, as a tar archive',
    plane: 'deployment',
    method: 'POST',
    path: '/v1/deployment/backup',
    authority: { kind: 'api-token' },
    input: {},
    answer: [archiveType],
    handle: (_input, context) => sendBackup(context),
  }),
] as const
