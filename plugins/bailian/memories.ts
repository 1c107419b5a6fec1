// Memories of a store: declared entries, actions on them, and their versions.
import type { MemoryActions } from '../../core/plugin/actions.js'
import { memoryActions, memoryVersions } from '../shared/memory-actions.js'
import { memoryEntries, precondition } from '../shared/memory-entries.js'
import type { BailianClient } from './client.js'

export const entries = memoryEntries<BailianClient>({ listed: { view: 'basic', depth: 0 }, guard: precondition })

export const memories: MemoryActions<BailianClient> = { ...memoryActions(entries), versions: memoryVersions() }
