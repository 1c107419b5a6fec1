// Claude Managed Agents (P-C).
import type { MissingKind } from '../../core/plugin/capability.js'
import { provider } from '../../core/plugin/provider.js'
import { kindsOnQoder } from '../shared/kinds-on-qoder.js'
import { type ClaudeClient, configuration, connect, identify } from './client.js'
import { deployments } from './deployment-run.js'
import { classify } from './failure.js'
import * as handlers from './handlers.js'
import { memories } from './memories.js'
import { problems } from './problems.js'
import { rules } from './rules/index.js'
import { sessions } from './sessions.js'

const tunnel: MissingKind = {
  kind: 'tunnel',
  reason: 'MCP servers below the domain of a tunnel are reached by their url, so that nothing names one',
  instead: 'remove the declaration, and write the url of the server in the private network into mcp_servers',
}

export const claude = provider<ClaudeClient>({
  name: 'claude',
  aliases: ['p-c'],
  title: 'Claude (P-C)',
  configuration,
  identify,
  connect,
  classify,
  missing: kindsOnQoder.map((missing) => (missing.kind === 'tunnel' ? tunnel : missing)),
  handlers: Object.values(handlers),
  rules,
  problems,
  sessions,
  deployments,
  memories,
})
