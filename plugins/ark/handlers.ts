// Handlers of the kinds that Ark supports.
export { agent } from './agent.js'
export { deployment } from './deployment.js'
export { environment } from './environment.js'
export { file } from './file.js'
export { memoryStore } from './memory-store.js'
export { skill } from './skill.js'
export { vault } from './vault.js'
