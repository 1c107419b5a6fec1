// File that reserves disk space for urgent commits on a full disk: revocations of leaked tokens, and deletions, which
// free space. Its bytes are random, because some file systems do not allocate space for zeros.
import { randomFillSync } from 'node:crypto'
import { limits } from '../limits.js'
import { nodeFiles } from './files.js'
import { DiskFull, type FreeSpace } from './free-space.js'

const pieceBytes = 1024 * 1024

export class ReserveFile {
  private isReleased = false
  /** Serialises creating and releasing the file. */
  private turn: Promise<unknown> = Promise.resolve()
  private timer: NodeJS.Timeout | undefined

  constructor(
    private readonly path: string,
    private readonly freeSpace: FreeSpace,
  ) {}

  /** Free space that must remain besides the file until it is restored. */
  get missingBytes(): number {
    return this.isReleased ? limits.reserveFileBytes : 0
  }

  /** Creates the file as soon as the disk gets full; with plenty of free space none is needed. */
  watch(): void {
    const makeFile = () => void this.make().catch(() => {}) // If it fails, the remaining free space is used without a reserve.
    makeFile()
    this.timer = setInterval(makeFile, limits.reserveFileIntervalMs).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    await this.turn
  }

  make(): Promise<void> {
    return this.inTurn(async () => {
      if (await this.isMade()) return
      if (await this.has(limits.reserveFileBelowBytes)) return this.noteMade()
      if (!(await this.has(limits.reserveFileBytes + limits.storeReserveBytes))) return
      await this.write()
      this.noteMade()
    })
  }

  /** Releases the file if less than `bytes` is free. */
  async makeRoom(bytes: number): Promise<void> {
    if (!(await this.has(bytes))) await this.release()
  }

  /** Removes the file, if it exists. */
  release(): Promise<void> {
    return this.inTurn(async () => {
      if ((await nodeFiles.size(this.path)) === undefined) return
      await nodeFiles.remove(this.path)
      this.isReleased = true
    })
  }

  private noteMade(): void {
    this.isReleased = false
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work)
    this.turn = done.catch(() => {})
    return done
  }

  /** True if the file has its full size. A shorter one was left by a killed process or a full disk. */
  private async isMade(): Promise<boolean> {
    return (await nodeFiles.size(this.path)) === limits.reserveFileBytes
  }

  private async has(bytes: number): Promise<boolean> {
    try {
      await this.freeSpace.demand(bytes)
      return true
    } catch (error) {
      if (error instanceof DiskFull) return false
      throw error
    }
  }

  private async write(): Promise<void> {
    await nodeFiles.remove(this.path)
    const file = await nodeFiles.create(this.path)
    try {
      for (let written = 0; written < limits.reserveFileBytes; written += pieceBytes)
        await file.write(randomFillSync(new Uint8Array(pieceBytes)))
      await file.sync()
    } catch (error) {
      await nodeFiles.remove(this.path)
      throw error
    } finally {
      await file.close()
    }
  }
}
