// Handlers of the managed API.

import { fileOf } from '../file.js'
import { skillOf } from '../skill.js'
import { agent } from './agent.js'
import { deployment } from './deployment.js'
import { environment } from './environment.js'
import { memoryStore } from './memory-store.js'
import { vault } from './vault.js'

export const managedHandlers = [
  environment,
  vault,
  memoryStore,
  skillOf('managed'),
  fileOf('managed'),
  agent,
  deployment,
] as const
