// The store of the first process, served to the others. A walk over a range keeps its snapshot here and is sent in pieces.
import type { KeyRange } from '../storage/keys.js'
import type { Commit, Entry, Range, Store } from '../storage/store.js'
import type { Channel } from './channel.js'

/** Number of entries that are sent at once. */
const pieceEntries = 256

export interface Piece {
  readonly entries: readonly Entry[]
  readonly isLast: boolean
}

/** Serves the store; returns a function that ends the walks of a process that is gone. */
export function serveStore(channel: Channel, store: Store): () => Promise<void> {
  const walks = new Map<number, AsyncIterator<Entry>>()
  let nextWalk = 1
  const piece = async (walk: number): Promise<Piece> => {
    const iterator = walks.get(walk)
    const entries: Entry[] = []
    while (iterator !== undefined && entries.length < pieceEntries) {
      const { value, done } = await iterator.next()
      if (done === true) break
      entries.push(value)
    }
    const isLast = entries.length < pieceEntries
    if (isLast) walks.delete(walk)
    return { entries, isLast }
  }
  const endWalk = async (walk: number) => {
    const iterator = walks.get(walk)
    walks.delete(walk)
    await iterator?.return?.()
  }
  channel.handle('store.getMany', (keys: readonly Uint8Array[]) => store.getMany(keys))
  channel.handle('store.commit', (commit: Commit) => store.commit(commit))
  channel.handle('store.forget', (ranges: readonly KeyRange[]) => store.forget?.(ranges))
  channel.handle('store.probe', () => store.probe())
  channel.handle('store.walk', async (range: Range) => {
    const walk = nextWalk++
    walks.set(walk, store.range(range)[Symbol.asyncIterator]())
    return { walk, piece: await piece(walk) }
  })
  channel.handle('store.next', piece)
  channel.handle('store.endWalk', endWalk)
  return async () => {
    await Promise.all([...walks.keys()].map(endWalk))
  }
}
