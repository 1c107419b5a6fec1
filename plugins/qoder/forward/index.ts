// What the forward API has.
import { channel } from './channel.js'
import { defaultMemoryStore } from './default-memory-store.js'
import { environment } from './environment.js'
import { file } from './file.js'
import { identity } from './identity.js'
import { memoryMount } from './memory-mount.js'
import { memoryStore } from './memory-store.js'
import { skill } from './skill.js'
import { template } from './template.js'
import { vault } from './vault.js'

export const forwardHandlers = [
  environment,
  vault,
  memoryStore,
  skill,
  file,
  identity,
  template,
  memoryMount,
  defaultMemoryStore,
  channel,
] as const
