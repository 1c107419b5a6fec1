// Connection to a folder of this machine.
import type { FileHandle } from 'node:fs/promises'
import { hasCode } from '../../core/ports/disk.js'
import { limits } from '../limits.js'
import type { Connection, ConnectionFile, OpenedFile, ReadLimits } from '../operation/connections.js'
import type { FilesystemSettings } from '../settings/connections.js'
import { isAllowedKey } from './allowed-key.js'
import { noSuchFile, tooLarge, upstreamFailed } from './failures.js'
import { NotPlainFile, openBelow, RootMissing } from './open-below.js'
import { steadyBytes, withDeadline } from './transfer.js'

const chunkBytes = 256 * 1024

/** Errors of the system for a path that leads to no file that this process may read. */
const missing = ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM', 'EISDIR', 'ENXIO', 'ENAMETOOLONG', 'EINVAL'] as const

export class FolderConnection implements Connection {
  readonly type = 'filesystem'

  constructor(
    readonly id: string,
    private readonly settings: FilesystemSettings,
  ) {}

  allows({ key, revision }: ConnectionFile): boolean {
    return revision === null && isAllowedKey(key, this.settings.prefixes)
  }

  async read<Result>(
    { key }: ConnectionFile,
    { sizeBytesMax, totalMs, signal: wanted }: ReadLimits,
    take: (opened: OpenedFile) => Promise<Result>,
  ): Promise<Result> {
    return withDeadline({ signal: wanted, timeouts: { totalMs } }, async (signal) => {
      const file = await this.open(key)
      try {
        const { size: sizeBytes } = await file.stat()
        if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax)
        const bounds = { sizeBytes, signal, idleMs: limits.importIdleTimeoutMs, bytesPerSecondMin: 0 }
        return await take({ sizeBytes, tag: null, bytes: steadyBytes(piecesOf(file, signal), bounds) })
      } finally {
        // Closing waits for a read in progress, which may never end on a network drive.
        void file.close().catch(() => {})
      }
    })
  }

  private async open(key: string): Promise<FileHandle> {
    try {
      return await openBelow(this.settings.root, key.split('/'))
    } catch (error) {
      if (error instanceof RootMissing) throw upstreamFailed('The storage of the connection cannot be reached')
      if (error instanceof NotPlainFile || hasCode(error, ...missing)) throw noSuchFile()
      throw error
    }
  }
}

/** Yields the bytes that the file had when it was opened. Throws `UpstreamFailed` if it is changed meanwhile. */
async function* piecesOf(file: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const before = await file.stat()
  for (let at = 0; at < before.size; ) {
    signal.throwIfAborted()
    const length = Math.min(chunkBytes, before.size - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) break
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
  const after = await file.stat()
  if (after.size !== before.size || after.mtimeMs !== before.mtimeMs || after.ctimeMs !== before.ctimeMs) {
    throw upstreamFailed('The file was changed while it was read')
  }
}
