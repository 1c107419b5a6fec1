// Memories of a store, compared by digest and guarded by it.
import { memoryEntries } from '../shared/memory-entries.js'
import type { BailianClient } from './client.js'

export const memories = memoryEntries<BailianClient>({ listed: { view: 'basic', depth: 0 }, isGuarded: true })
