// The kinds that Acme has, by their handlers.
export { agent } from './agent.js'
export { environment } from './environment.js'
export { skill } from './skill.js'
export { vault } from './vault.js'
export { webhook } from './webhook.js'
