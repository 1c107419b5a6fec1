// `steward/kinds`: every built-in resource kind, in the order of the file's sections, and the types of their bodies.
import type { Kind } from '../../core/plugin/kind.js'
import { agent } from './agent.js'
import { channel } from './channel.js'
import { deployment } from './deployment.js'
import { environment } from './environment.js'
import { file } from './file.js'
import { identity } from './identity.js'
import { memoryStore } from './memory-store.js'
import { skill } from './skill.js'
import { tunnel } from './tunnel.js'
import { vault } from './vault.js'

export type { AgentBody } from './agent-body.js'
export type { ChannelBody } from './channel.js'
export type { DeploymentBody } from './deployment-body.js'
export type { EnvironmentBody } from './environment.js'
export type { FileBody } from './file.js'
export type { IdentityBody } from './identity.js'
export type { MemoryStoreBody } from './memory-store.js'
export type { SkillBody } from './skill.js'
export type { TunnelBody } from './tunnel.js'
export type { VaultBody } from './vault-body.js'

export const kinds: readonly Kind[] = [
  environment,
  tunnel,
  vault,
  memoryStore,
  skill,
  file,
  identity,
  agent,
  channel,
  deployment,
]
