// Copies of objects on the local disk, because worker threads open files. Their total size is bounded: the copy that was
// not used for the longest time goes first, but never one that is open. A copy that several requests need is fetched
// once.
import { join } from 'node:path'
import type { Random } from '../../../core/ports/random.js'
import { limits } from '../../limits.js'
import type { BlobName, LocalCopy } from '../blobs.js'
import type { Files } from '../files.js'
import { DiskFull, type FreeSpace } from '../free-space.js'
import type { Measurement } from '../measurement.js'
import { Pins } from '../pins.js'
import type { StoredObject } from './objects.js'

export interface LocalCopiesOptions {
  /** Folder of the copies, on the file system of the staging folder; emptied when it is opened. */
  readonly folder: string
  /** Maximum total size; copies that are open may exceed it. */
  readonly bytesMax: number
  readonly files: Files
  readonly random: Random
  readonly freeSpace: FreeSpace | undefined
}

/** Object with the name of its blob. */
export type NamedObject = StoredObject & { readonly name: BlobName }

interface Copy {
  readonly object: NamedObject
  readonly path: string
  /** Time at which the object was known to exist. */
  checkedAtMs: number
}

interface Flight {
  /** The copy, with a pin for everybody who waits. */
  readonly landed: Promise<{ readonly copy: Copy; readonly pins: (() => void)[] }>
  readonly object: NamedObject
  waiting: number
  /** True if the object was removed meanwhile: nobody else may get the copy. */
  isRemoved: boolean
}

export class LocalCopies implements FreeSpace {
  /** By key, the most recently used last. */
  private readonly copies = new Map<string, Copy>()
  private readonly flights = new Map<string, Flight>()
  private readonly pins = new Pins()
  private bytes = 0
  /** Copies that were fetched, and those that were there already, since the start. */
  private fetched = 0
  private found = 0

  constructor(private readonly options: LocalCopiesOptions) {}

  has({ key }: StoredObject): boolean {
    return this.copies.has(key)
  }

  get totalBytes(): number {
    return this.bytes
  }

  get measurements(): readonly Measurement[] {
    return [
      {
        name: 'local_copies_bytes',
        help: 'Bytes of local copies of files',
        read: () => this.bytes,
      },
      {
        name: 'local_copies_fetched',
        help: 'Files that were fetched from the storage into local copies, since the start',
        read: () => this.fetched,
      },
      {
        name: 'local_copies_found',
        help: 'Files that were opened from local copies without being fetched, since the start',
        read: () => this.found,
      },
    ]
  }

  /** Rejects with `DiskFull` if there is not enough space even without copies that are not open. */
  async demand(bytes: number): Promise<void> {
    for (;;) {
      try {
        return await this.options.freeSpace?.demand(bytes)
      } catch (error) {
        if (!(error instanceof DiskFull) || !(await this.removeOldest())) throw error
      }
    }
  }

  /**
   * Returns the copy; `fetch` writes it to a new file, unless there is one already. The copy is removed at the earliest
   * when it is released.
   */
  async open(object: NamedObject, fetch: (path: string) => Promise<void>): Promise<LocalCopy> {
    const copy = this.copies.get(object.key)
    if (copy !== undefined) {
      const local = this.pinned(copy)
      if ((await this.options.files.size(copy.path)) === object.sizeBytes) {
        this.found += 1
        return local
      }
      // Somebody else removed or damaged the file.
      local.release()
      await this.remove(copy)
    }
    const flight = this.flights.get(object.key) ?? this.begin(object, fetch)
    flight.waiting += 1
    const { copy: fetched, pins } = await flight.landed
    return this.releasable(fetched, pins.pop() ?? this.pins.pin(fetched.path))
  }

  /** Makes a file a copy of an object that was written from it. The file must not change any more. */
  async adopt(object: NamedObject, path: string): Promise<void> {
    const to = this.newPath()
    await this.options.files.rename(path, to)
    this.add({ object, path: to, checkedAtMs: Date.now() })
    await this.shrink()
  }

  /**
   * Removes copies of objects that were removed; waits until they are released, with a time limit. Nobody else gets them
   * from now on.
   */
  async purge(isMeant: (object: NamedObject) => boolean): Promise<void> {
    for (const flight of this.flights.values()) if (isMeant(flight.object)) flight.isRemoved = true
    const removed = [...this.copies.values()].filter(({ object }) => isMeant(object))
    for (const copy of removed) this.drop(copy)
    const paths = new Set(removed.map(({ path }) => path))
    await this.pins.released((path) => paths.has(path), limits.pinnedBlobWaitMs)
    for (const path of paths) await this.options.files.remove(path)
  }

  /** Returns the objects of copies that were last compared with the storage before the time. */
  uncheckedSince(timeMs: number): readonly NamedObject[] {
    return [...this.copies.values()].filter(({ checkedAtMs }) => checkedAtMs < timeMs).map(({ object }) => object)
  }

  noteChecked({ key }: StoredObject): void {
    const copy = this.copies.get(key)
    if (copy) copy.checkedAtMs = Date.now()
  }

  private begin(object: NamedObject, fetch: (path: string) => Promise<void>): Flight {
    this.fetched += 1
    const path = this.newPath()
    const flight: Flight = {
      object,
      waiting: 0,
      isRemoved: false,
      landed: fetch(path).then(
        () => this.land(flight, path),
        async (error: unknown) => {
          this.flights.delete(object.key)
          await this.options.files.remove(path)
          throw error
        },
      ),
    }
    this.flights.set(object.key, flight)
    return flight
  }

  private async land({ object, waiting, isRemoved }: Flight, path: string): Promise<Awaited<Flight['landed']>> {
    const copy: Copy = { object, path, checkedAtMs: Date.now() }
    const pins = Array.from({ length: waiting }, () => this.pins.pin(path))
    this.flights.delete(object.key)
    if (!isRemoved) this.add(copy)
    await this.shrink()
    return { copy, pins }
  }

  private newPath(): string {
    return join(this.options.folder, this.options.random.uuid())
  }

  private add(copy: Copy): void {
    const { key, sizeBytes } = copy.object
    const old = this.copies.get(key)
    if (old) this.drop(old)
    this.copies.set(key, copy)
    this.bytes += sizeBytes
  }

  private drop({ object: { key, sizeBytes }, path }: Copy): void {
    if (this.copies.get(key)?.path !== path) return
    this.copies.delete(key)
    this.bytes -= sizeBytes
  }

  private async remove(copy: Copy): Promise<void> {
    this.drop(copy)
    await this.options.files.remove(copy.path)
  }

  private pinned(copy: Copy): LocalCopy {
    this.copies.delete(copy.object.key)
    this.copies.set(copy.object.key, copy)
    return this.releasable(copy, this.pins.pin(copy.path))
  }

  private releasable(copy: Copy, unpin: () => void): LocalCopy {
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      unpin()
      void this.afterRelease(copy).catch(() => {}) // The file is removed at the next start.
    }
    return { path: copy.path, release }
  }

  private async afterRelease({ object: { key }, path }: Copy): Promise<void> {
    const isDropped = this.copies.get(key)?.path !== path
    if (isDropped && !this.pins.isPinned(path)) await this.options.files.remove(path)
    await this.shrink()
  }

  private async shrink(): Promise<void> {
    while (this.bytes > this.options.bytesMax && (await this.removeOldest())) {}
  }

  /** Returns false if every copy is open. */
  private async removeOldest(): Promise<boolean> {
    const oldest = [...this.copies.values()].find(({ path }) => !this.pins.isPinned(path))
    if (oldest) await this.remove(oldest)
    return oldest !== undefined
  }
}
