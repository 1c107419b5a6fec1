// Memories of a store: what is put there, what people do with them, and what they were before.
import type { MemoryActions } from '../../core/plugin/actions.js'
import { memoryActions, memoryVersions } from '../shared/memory-actions.js'
import { memoryEntries, precondition } from '../shared/memory-entries.js'
import type { BailianClient } from './client.js'

export const entries = memoryEntries<BailianClient>({ listed: { view: 'basic', depth: 0 }, guard: precondition })

export const memories: MemoryActions<BailianClient> = { ...memoryActions(entries), versions: memoryVersions() }
