// Opens the storage of a process behind the first one: rows, leases and wake-ups come from there, files from the same folder.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '../storage/blobs.js'
import { dataFolderAt } from '../storage/data-folder.js'
import { FolderBlobs } from '../storage/folder-blobs.js'
import { freeSpaceOf } from '../storage/free-space.js'
import { LargeValues } from '../storage/large-values.js'
import { openBlobs } from '../storage/open-blobs.js'
import { type Coordination, openCoordination } from '../storage/open-coordination.js'
import type { Storage, StorageOptions } from '../storage/open-storage.js'
import { PageFacts } from '../storage/page-facts.js'
import { Tables } from '../storage/tables.js'
import type { Channel } from './channel.js'
import { RemoteStore } from './remote-store.js'
import { RemoteBus } from './shared-bus.js'
import { RemoteLeases } from './shared-coordination.js'
import { waitForOthers } from './shared-files.js'

export interface Behind {
  readonly channel: Channel
  /** Number of this process, which names its staging folder. */
  readonly index: number
}

export async function openBehind({ channel, index }: Behind, options: StorageOptions): Promise<Storage> {
  const { engines = {} } = options
  const store = new RemoteStore(channel)
  const blobs = await openFiles({ channel, index }, options)
  const { leases, bus, redis } = await coordinate(channel, engines.redis)
  return {
    store,
    tables: new Tables(store, options.decodedRows),
    blobs,
    pageFacts: new LargeValues('page-facts', PageFacts, blobs),
    leases,
    bus,
    redis,
    // The first process ends with a broken store, and this one with it.
    failed: new Promise(() => {}),
    measurements: blobs.measurements ?? [],
    async close() {
      await bus.close()
      await leases.close() // Holders of leases may still write.
      redis?.close()
      await blobs.close?.()
    },
  }
}

async function openFiles({ channel, index }: Behind, options: StorageOptions): Promise<Blobs> {
  const { digest, files, random, engines = {} } = options
  const folder = dataFolderAt(options.folder)
  const own = `process-${index}`
  if (engines.blobs !== undefined) await mkdir(folder.copies, { recursive: true, mode: 0o700 })
  const blobs = await openBlobs({
    address: engines.blobs,
    folder: folder.blobs,
    staging: join(folder.staging, own),
    copies: join(folder.copies, own),
    copiesBytesMax: engines.blobCacheBytes ?? Number.POSITIVE_INFINITY,
    freeSpace: options.freeSpace ?? freeSpaceOf(folder.root),
    releasedElsewhere: (path) => waiting?.(path) ?? Promise.resolve(),
    ...(digest ? { digest } : {}),
    ...(files ? { files } : {}),
    ...(random ? { random } : {}),
  })
  const waiting = blobs instanceof FolderBlobs ? waitForOthers(channel, (path) => blobs.released(path)) : undefined
  return blobs
}

/** Without Redis, the first process coordinates. */
async function coordinate(channel: Channel, redis: string | undefined): Promise<Coordination> {
  if (redis !== undefined) return openCoordination({ address: redis })
  return { leases: new RemoteLeases(channel), bus: new RemoteBus(channel), redis: undefined }
}
