// What the managed API has.
import { agent } from './agent.js'
import { deployment } from './deployment.js'
import { environment } from './environment.js'
import { file } from './file.js'
import { memoryStore } from './memory-store.js'
import { skill } from './skill.js'
import { vault } from './vault.js'

export const managedHandlers = [environment, vault, memoryStore, skill, file, agent, deployment] as const
