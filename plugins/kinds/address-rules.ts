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
      if (credential.type !== 'environment_variable')
        yield* unusableAddress(['credentials', index, 'mcp_server_url'], credential.mcp_server_url, project)
  },
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
