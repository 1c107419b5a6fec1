// Client that reads a document: the API token reads every document itself, a tenant token makes a short-lived token for
// the document.
import { ApiClient } from '../../shared/api-client.js'
import type { Session } from '../session.js'
import { issueToken } from '../tokens/issue-token.js'

/** Throws `ApiError`. */
export async function readingClient(session: Session, tenantId: string, docId: string): Promise<ApiClient> {
  const { client, isOperator } = session
  if (isOperator) return client
  const json = { kind: 'doc', sub: 'console', docId, scope: ['doc.open', 'doc.download'], expiresIn: 600 }
  const { token } = await issueToken(client, tenantId, json)
  return new ApiClient({ base: client.address('.'), token })
}
