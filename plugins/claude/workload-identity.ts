// Signing in without a static key: a workload exchanges the identity token that its platform (CI, Kubernetes) writes into
// a file for an access token.
import { type Static, Type } from 'typebox'
import type { SignIn } from '../../core/plugin/client-options.js'
import type { ConnectEnvironment } from '../../core/plugin/provider.js'
import { Exact, Word } from '../../core/plugin/schema.js'
import { problem } from './problems.js'

export const workloadIdentity = Exact(
  {
    token_file: Word({
      minLength: 1,
      description: 'Path of the identity token, relative to agents.yaml. It is read again at every sign-in.',
    }),
    federation_rule_id: Word({ minLength: 1, description: 'Id of the federation rule that matches the token.' }),
    organization_id: Word({ minLength: 1, description: 'Id of the organization.' }),
    workspace_id: Type.Optional(
      Word({
        description:
          'Id of the workspace, or "default". Needed if the rule is for several workspaces; an empty text counts as none.',
      }),
    ),
    service_account_id: Type.Optional(
      Word({ description: 'Id of the service account; an empty text counts as none.' }),
    ),
  },
  {
    description: 'Signs in with the identity token of a workload (OIDC), in place of a static key.',
    examples: [
      {
        token_file: '${ANTHROPIC_IDENTITY_TOKEN_FILE}',
        federation_rule_id: '${ANTHROPIC_FEDERATION_RULE_ID}',
        organization_id: '${ANTHROPIC_ORGANIZATION_ID}',
      },
    ],
  },
)
type WorkloadIdentity = Static<typeof workloadIdentity>

/** Beta value that requests with an access token need beside their own. */
export const signedInBeta = 'oauth-2025-04-20'

const exchangeBeta = 'oidc-federation-2026-04-01'

/** Maximum length of an identity token that the service takes. */
const tokenLengthMax = 16 * 1024

const Answer = Type.Object({ access_token: Type.String({ minLength: 1 }) })

/** Returns the exchange at the service with this address (RFC 7523, jwt-bearer). */
export function exchange(identity: WorkloadIdentity, baseUrl: string, environment: ConnectEnvironment): SignIn {
  return async (send) => {
    const assertion = await identityToken(identity.token_file, environment)
    const { workspace_id, service_account_id } = identity
    const { access_token } = await send({
      url: `${baseUrl}/oauth/token`,
      headers: { 'anthropic-beta': `${signedInBeta},${exchangeBeta}` },
      body: {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
        federation_rule_id: identity.federation_rule_id,
        organization_id: identity.organization_id,
        ...(workspace_id ? { workspace_id } : {}),
        ...(service_account_id ? { service_account_id } : {}),
      },
      secrets: [assertion],
      answer: Answer,
    })
    return { authorization: `Bearer ${access_token}` }
  }
}

async function identityToken(path: string, { readText }: ConnectEnvironment): Promise<string> {
  const token = await readText?.(path).catch((error: unknown) => {
    throw unusable(path, `cannot be read: ${error instanceof Error && 'code' in error ? error.code : error}`)
  })
  const trimmed = token?.trim() ?? ''
  if (trimmed === '') throw unusable(path, 'is empty')
  if (trimmed.length > tokenLengthMax)
    throw unusable(path, `has ${trimmed.length} characters; the service takes ${tokenLengthMax}`)
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw unusable(path, 'is no token, which has printable ASCII and no blanks')
  return trimmed
}

const unusable = (path: string, why: string) =>
  problem('claude.identity-token', { detail: `The identity token in ${path} ${why}.` })
