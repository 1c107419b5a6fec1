// Makes tokens.
import type { Static } from 'typebox'
import type { TokenIssued } from '../../../schemas/token.js'
import type { ApiClient } from '../../shared/api-client.js'
import { tenantPath } from '../paths.js'

export type IssuedToken = Static<typeof TokenIssued>

/** Throws `ApiError`. */
export const issueToken = (client: ApiClient, tenantId: string, json: object): Promise<IssuedToken> =>
  client.json(`${tenantPath(tenantId)}/tokens`, { method: 'POST', json })
