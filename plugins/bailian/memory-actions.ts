// What people do with the memories of a store; every write leaves a version behind.
import type { MemoryActions } from '../../core/plugin/actions.js'
import { memoryActions as actionsOn, memoryVersions } from '../shared/memory-actions.js'
import type { BailianClient } from './client.js'
import { memories } from './memories.js'

export const memoryActions: MemoryActions<BailianClient> = { ...actionsOn(memories), versions: memoryVersions() }
