// Memories of a store, compared by digest. There are no versions: the last write wins.
import type { MemoryActions } from '../../core/plugin/actions.js'
import { memoryActions } from '../shared/memory-actions.js'
import { memoryEntries } from '../shared/memory-entries.js'
import type { ArkClient } from './client.js'

export const entries = memoryEntries<ArkClient>({})

export const memories: MemoryActions<ArkClient> = memoryActions(entries)
