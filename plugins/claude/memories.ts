// Memories of a store, compared and guarded by digests of their content. Every write creates a version.
import type { MemoryActions } from '../../core/plugin/actions.js'
import { memoryActions, memoryVersions } from '../shared/memory-actions.js'
import { memoryEntries, precondition } from '../shared/memory-entries.js'
import { type ClaudeClient, paging } from './client.js'

export const entries = memoryEntries<ClaudeClient>({
  listed: { view: 'basic' },
  paging,
  guard: precondition,
})

export const memories: MemoryActions<ClaudeClient> = {
  ...memoryActions(entries),
  versions: memoryVersions(paging),
}
