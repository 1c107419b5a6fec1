// Every built-in resource kind, in the order of the file's sections.
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
