// Folder in memory, so that hundreds of runs of the suite leave no files and wait for no disk.
import { dirname, posix } from 'node:path'
import type { Appender, Disk, FileStatus } from '../ports/disk.js'

interface Entry {
  readonly id: string
  bytes: Uint8Array
}

export class MemoryDisk implements Disk {
  /** Every text that was ever written, in order to search them for secrets. */
  readonly written: string[] = []
  private lastId = 0

  constructor(private readonly entries: Map<string, Entry> = new Map()) {}

  /** Returns another disk with the same content. */
  copy(): MemoryDisk {
    const entries = [...this.entries].map(([path, { id, bytes }]) => [path, { id, bytes }] as const)
    const other = new MemoryDisk(new Map(entries))
    other.lastId = this.lastId
    return other
  }

  text(path: string): string | undefined {
    const found = this.entries.get(path)
    return found && new TextDecoder().decode(found.bytes)
  }

  put(path: string, text: string): void {
    this.set(path, new TextEncoder().encode(text))
  }

  async read(path: string): Promise<Uint8Array> {
    return this.entry(path).bytes
  }

  async status(path: string): Promise<FileStatus | null> {
    const found = this.entries.get(path)
    if (found) return { kind: 'file', sizeBytes: found.bytes.length, id: found.id }
    return this.isFolder(path) ? { kind: 'folder', sizeBytes: 0, id: path } : null
  }

  async realPath(path: string): Promise<string> {
    if (!this.entries.has(path) && !this.isFolder(path)) throw missing(path)
    return path
  }

  /** There are no symbolic links on this disk. */
  async linkTarget(path: string): Promise<string> {
    return path
  }

  async list(path: string): Promise<readonly string[]> {
    const inside = [...this.entries.keys()].filter((other) => other.startsWith(folderPrefix(path)))
    return [...new Set(inside.map((other) => other.slice(folderPrefix(path).length).split('/')[0] ?? ''))].sort()
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.log(bytes)
    this.set(path, bytes)
  }

  async create(path: string, bytes: Uint8Array): Promise<boolean> {
    if (this.entries.has(path)) return false
    await this.write(path, bytes)
    return true
  }

  async append(path: string): Promise<Appender> {
    const entry = this.entries.get(path) ?? this.set(path, new Uint8Array())
    return {
      write: async (bytes) => {
        this.log(bytes)
        entry.bytes = Buffer.concat([entry.bytes, bytes])
      },
      flush: async () => {},
      close: async () => {},
    }
  }

  async rename(from: string, to: string): Promise<void> {
    this.entries.set(to, this.entry(from))
    this.entries.delete(from)
  }

  async remove(path: string): Promise<void> {
    this.entries.delete(path)
  }

  async createFolder(): Promise<void> {}

  async flushFolder(): Promise<void> {}

  private set(path: string, bytes: Uint8Array): Entry {
    this.lastId++
    const entry = { id: this.entries.get(path)?.id ?? String(this.lastId), bytes }
    this.entries.set(path, entry)
    return entry
  }

  private entry(path: string): Entry {
    const found = this.entries.get(path)
    if (!found) throw missing(path)
    return found
  }

  /** True if any file lies below the path: folders exist only as parts of file paths. */
  private isFolder(path: string): boolean {
    return path === '/' || [...this.entries.keys()].some((other) => other.startsWith(folderPrefix(path)))
  }

  private log(bytes: Uint8Array): void {
    this.written.push(new TextDecoder().decode(bytes))
  }
}

function folderPrefix(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${posix.basename(path)} in ${dirname(path)}`), { code: 'ENOENT' })
}
