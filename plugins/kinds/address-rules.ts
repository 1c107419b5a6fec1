// Checks addresses in agents, deployments and vaults (agent configuration 2.7, 2.11, 2.14).
import type { Finding, Project } from '../../core/plugin/declaration.js'
import type { KindRule } from '../../core/plugin/rule.js'
import type { AgentBody } from './agent-body.js'
import type { DeploymentBody } from './deployment-body.js'
import type { VaultBody } from './vault-body.js'
import { unusableAddress } from './web-address.js'

const mcpServer = {
  severity: 'error',
  summary: 'The address of an MCP server is not one',
  fix: 'Write the whole address, such as https://mcp.example.com/mcp.',
} as const

const repository = {
  severity: 'error',
  spec: '2.14',
  summary: 'The address of a repository is not one',
  fix: 'Write the address it is cloned from, such as https://github.com/example/app.',
} as const

export const mcpServerAddress: KindRule<AgentBody> = {
  ...mcpServer,
  code: 'agent.mcp-server-url',
  spec: '2.11',
  *check({ body }, project) {
    for (const [index, { url }] of (body.mcp_servers ?? []).entries())
      if (url !== undefined) yield* unusableAddress(['mcp_servers', index, 'url'], url, project)
  },
}

export const credentialAddress: KindRule<VaultBody> = {
  ...mcpServer,
  code: 'vault.mcp-server-url',
  spec: '2.7',
  *check({ body }, project) {
    for (const [index, credential] of (body.credentials ?? []).entries())
      if (credential.type === 'static_bearer')
        yield* unusableAddress(['credentials', index, 'mcp_server_url'], credential.mcp_server_url, project)
  },
}

/** Warns of a server whose address differs from that of a credential in ways that only look the same. */
export const credentialNear: KindRule<AgentBody> = {
  code: 'agent.mcp-credential-near',
  severity: 'warning',
  spec: '2.7',
  summary: 'A credential is for almost the same address as an MCP server',
  fix: 'Write the same address in both places.',
  *check({ body }, project) {
    const vault = body.vault === undefined ? undefined : project.find('vault', body.vault)
    const { credentials = [] } = (vault?.body ?? {}) as Pick<VaultBody, 'credentials'> // The kind says which body it is.
    const addresses = credentials.flatMap((one) => (one.type === 'static_bearer' ? [one.mcp_server_url] : []))
    for (const [index, { url }] of (body.mcp_servers ?? []).entries()) {
      if (url === undefined || addresses.includes(url)) continue
      const near = addresses.find((address) => plainAddress(address) === plainAddress(url))
      if (near !== undefined)
        yield {
          at: ['mcp_servers', index, 'url'],
          detail: `The vault ${body.vault} has a credential for ${near}; services compare addresses letter by letter, so it is not used for ${url}.`,
        }
    }
  },
}

/** Returns the address without scheme, usual port, case of the host and a slash at its end. */
function plainAddress(address: string): string {
  const url = URL.parse(address)
  if (url === null) return address
  const port = url.port === '80' || url.port === '443' ? '' : url.port
  return `${url.hostname}:${port}${url.pathname.replace(/\/+$/, '')}${url.search}`
}

export const agentRepositoryAddress: KindRule<AgentBody> = {
  ...repository,
  code: 'agent.repository-url',
  check: ({ body }, project) => repositoryAddresses(body.resources, project),
}

export const deploymentRepositoryAddress: KindRule<DeploymentBody> = {
  ...repository,
  code: 'deployment.repository-url',
  check: ({ body }, project) => repositoryAddresses(body.resources, project),
}

function* repositoryAddresses(
  resources: AgentBody['resources'] | DeploymentBody['resources'],
  project: Project,
): Iterable<Finding> {
  for (const [index, resource] of (resources ?? []).entries())
    if (resource.type === 'git_repository') yield* unusableAddress(['resources', index, 'url'], resource.url, project)
}
