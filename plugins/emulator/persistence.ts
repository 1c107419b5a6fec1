// Stores accounts for `--data DIR`: one JSON file per provider, replaced atomically, so that a killed emulator leaves
// the old or the new one.
import { join } from 'node:path'
import type { Disk } from '../../core/ports/disk.js'
import type { Store, StoreSnapshot } from './store.js'

/** A stored account that was cut off, or that another program wrote. */
export class UnreadableData extends Error {
  constructor(
    readonly file: string,
    options: ErrorOptions,
  ) {
    super(`${file} is no stored account`, options)
    this.name = 'UnreadableData'
  }
}

export class Persistence {
  private isDirty = false
  private writing: Promise<void> | undefined

  constructor(
    private readonly disk: Disk,
    private readonly folder: string,
    private readonly provider: string,
    private readonly snapshot: () => StoreSnapshot,
  ) {}

  private get file(): string {
    return join(this.folder, `${this.provider}.json`)
  }

  /** Loads the stored objects; returns false if there are none yet. */
  async load(store: Store): Promise<boolean> {
    await this.disk.createFolder(this.folder)
    if ((await this.disk.status(this.file)) === null) return false
    const text = Buffer.from(await this.disk.read(this.file)).toString('utf8')
    try {
      store.restore(JSON.parse(text) as StoreSnapshot) // Written by `save` alone.
    } catch (error) {
      throw new UnreadableData(this.file, { cause: error })
    }
    return true
  }

  /** Records a change; `saved` makes it durable. */
  touch(): void {
    this.isDirty = true
  }

  /** Resolves when all changes up to now are on disk. Changes made meanwhile share the next write. */
  async changesSaved(): Promise<void> {
    while (this.isDirty || this.writing) {
      this.writing ??= this.save().finally(() => {
        this.writing = undefined
      })
      await this.writing
    }
  }

  private async save(): Promise<void> {
    this.isDirty = false
    const bytes = Buffer.from(JSON.stringify(this.snapshot()))
    const temporary = `${this.file}.new`
    await this.disk.write(temporary, bytes, { mode: 0o600 })
    await this.disk.rename(temporary, this.file)
    await this.disk.flushFolder(this.folder)
  }
}
