// Handlers of the kinds that the forward API supports.
import { fileOf } from '../file.js'
import { skillOf } from '../skill.js'

export { channel } from './channel.js'
export { defaultMemoryStore } from './default-memory-store.js'
export { environment } from './environment.js'
export { identity } from './identity.js'
export { memoryMount } from './memory-mount.js'
export { memoryStore } from './memory-store.js'
export { template } from './template.js'
export { vault } from './vault.js'

export const file = fileOf('forward')
export const skill = skillOf('forward')
