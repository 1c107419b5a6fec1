// Session of whoever signed in with a token. The token is in memory only, and goes when the page is left or loaded again.
import type { TenantScope } from '../../auth/tenant-scopes.js'
import { ApiClient } from '../shared/api-client.js'
import { ApiError } from '../shared/api-error.js'
import { claimsIn } from './claims.js'
import { tenantPath } from './paths.js'
import { MadeTokens } from './tokens/made-tokens.js'
import { Uploads } from './uploads/uploads.js'

export class Session {
  readonly uploads: Uploads
  /** Tokens that were made since the sign-in: the server lists none. */
  readonly madeTokens = new MadeTokens()

  constructor(
    readonly client: ApiClient,
    /** Tenant of a tenant token; undefined for the API token. */
    readonly ownTenant: string | undefined,
    private readonly scopes: readonly string[],
  ) {
    this.uploads = new Uploads(client)
  }

  /**
   * Signs in. `onEnd` is called when the token is no longer accepted. Throws `ApiError` with the code `TokenWrong`, or
   * `TokenOfDocument` for a token that opens one document.
   */
  static async open(base: URL, text: string, onEnd: () => void): Promise<Session> {
    const token = text.trim()
    // Other characters cannot stand in a header.
    if (!/^[\x21-\x7e]+$/.test(token)) throw wrongToken()
    let isOpen = false
    const renew = async () => {
      if (isOpen) onEnd()
      return undefined
    }
    const client = new ApiClient({ base, token, renew })
    const session = await identified(client, token)
    isOpen = true
    return session
  }

  /** True for the API token. */
  get isOperator(): boolean {
    return this.ownTenant === undefined
  }

  may(scope: TenantScope): boolean {
    return this.isOperator || this.scopes.includes(scope) || this.scopes.includes('*')
  }

  /** Stops what goes on. */
  end(): void {
    this.uploads.cancelAll()
  }
}

const wrongToken = () => new ApiError(401, 'TokenWrong', 'The token is not accepted')

async function identified(client: ApiClient, token: string): Promise<Session> {
  try {
    await client.json('v1/tenants?limit=1')
    return new Session(client, undefined, [])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) throw wrongToken()
    if (error.status !== 403) throw error
  }
  // The server has accepted the token, and refused the operation to it: what it is for stands in the token.
  const claims = claimsIn(token)
  if (claims === undefined) throw wrongToken()
  if (claims.isOfDocument) throw new ApiError(403, 'TokenOfDocument', 'The token opens one document')
  const session = new Session(client, claims.tenantId, claims.scopes)
  if (session.may('docs.read')) await client.json(`${tenantPath(claims.tenantId)}/documents?limit=1`)
  return session
}
