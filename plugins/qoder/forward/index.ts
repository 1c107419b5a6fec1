// Handlers of the forward API.

import { fileOf } from '../file.js'
import { skillOf } from '../skill.js'
import { channel } from './channel.js'
import { defaultMemoryStore } from './default-memory-store.js'
import { environment } from './environment.js'
import { identity } from './identity.js'
import { memoryMount } from './memory-mount.js'
import { memoryStore } from './memory-store.js'
import { template } from './template.js'
import { vault } from './vault.js'

export const forwardHandlers = [
  environment,
  vault,
  memoryStore,
  skillOf('forward'),
  fileOf('forward'),
  identity,
  template,
  memoryMount,
  defaultMemoryStore,
  channel,
] as const
