// Handlers of the kinds that the managed API supports.
import { fileOf } from '../file.js'
import { skillOf } from '../skill.js'

export { agent } from './agent.js'
export { deployment } from './deployment.js'
export { environment } from './environment.js'
export { memoryStore } from './memory-store.js'
export { vault } from './vault.js'

export const file = fileOf('managed')
export const skill = skillOf('managed')
