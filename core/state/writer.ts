// A state that is being changed: every change is journaled at once, and all are folded into the state file at the end.
import type { Appender, Disk } from '../ports/disk.js'
import { type Contents, serialiseState } from './document.js'
import { diskProblem, readIfThere, replaceFile, type StateFiles } from './files.js'
import { headerText, merge, type StateChange } from './journal.js'
import { JournalWriter } from './journal-writer.js'
import type { LoadedState, State } from './load.js'
import type { Lock } from './lock.js'
import type { Row } from './row.js'

export interface WriterOptions extends LoadedState {
  readonly disk: Disk
  readonly lock: Lock
}

export class StateWriter implements State {
  readonly project: string
  readonly formerly?: string[]
  readonly lineage: string
  readonly salt: string
  readonly isNew: boolean
  readonly notes: State['notes']

  private readonly disk: Disk
  private readonly lock: Lock
  private readonly files: StateFiles
  private readonly journal = new JournalWriter(() => this.openJournal())
  private readonly changed: { readonly rows: Map<string, Row>; readonly providers: Map<string, string> }
  /** Id of the folder, which is written with the next change. */
  private readonly folderId: string | undefined
  private readonly fileName: string | undefined
  private saved: Contents | undefined
  private hasJournal: boolean
  private isBackedUp = false
  private isClosed = false

  constructor({ contents, saved, notes, files, hasJournal, disk, lock }: WriterOptions) {
    this.project = contents.project
    if (contents.formerly) this.formerly = contents.formerly
    this.lineage = contents.lineage
    this.salt = contents.salt
    this.isNew = saved === undefined
    this.notes = notes
    this.disk = disk
    this.lock = lock
    this.files = files
    this.changed = { rows: new Map(contents.rows), providers: new Map(contents.providers) }
    this.folderId = contents.folder
    this.fileName = contents.file
    this.saved = saved
    this.hasJournal = hasJournal
  }

  /** Serial number of the state file. */
  get serial(): number {
    return this.saved?.serial ?? 0
  }

  /** Current rows, including changes that are not durable yet. */
  get rows(): ReadonlyMap<string, Row> {
    return this.changed.rows
  }

  /** Current fingerprints by provider name. */
  get providers(): ReadonlyMap<string, string> {
    return this.changed.providers
  }

  /**
   * Puts a row. Like all changes, it resolves when it would survive a crash, and rejects with a `Problem` if it might
   * not.
   */
  put(address: string, row: Row): Promise<void> {
    return this.change({ rows: { [address]: row } })
  }

  delete(address: string): Promise<void> {
    return this.change({ rows: { [address]: null } })
  }

  /**
   * Moves a row in one change, so that after a crash the object is bound to exactly one address. `others`: rows that
   * change with it because they contain the address.
   */
  async move(from: string, to: string, others: Readonly<Record<string, Row>> = {}): Promise<void> {
    const row = this.rows.get(from)
    if (!row || this.rows.has(to)) throw new Error(`state: ${from} cannot move to ${to}`)
    return this.change({ rows: { ...others, [from]: null, [to]: row } })
  }

  /** Resolves when every change so far would survive a crash. Rejects with a `Problem` if one might not. */
  async flushed(): Promise<void> {
    try {
      await this.journal.flushed()
    } catch (error) {
      throw diskProblem(error, this.files.journal, 'written')
    }
  }

  /** Sets a fingerprint; null removes it. */
  setFingerprint(provider: string, fingerprint: string | null): Promise<void> {
    return this.change({ providers: { [provider]: fingerprint } })
  }

  /** Folds the journal of an interrupted run into the state file, and removes other files that the run left. */
  async foldInterruptedRun(): Promise<void> {
    try {
      await this.disk.remove(this.files.temporary)
    } catch (error) {
      throw diskProblem(error, this.files.temporary, 'written')
    }
    if (this.hasJournal) await this.fold()
  }

  /**
   * Folds the journal into the state file, and releases the lock in any case. Changes that could not be folded stay in
   * the journal.
   */
  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    try {
      await this.journal.close()
      await this.fold()
    } catch (error) {
      await Promise.allSettled([this.lock.release()]) // The first failure is the one to report.
      throw diskProblem(error, this.files.journal, 'written')
    }
    await this.lock.release()
  }

  private async change(change: StateChange): Promise<void> {
    if (this.isClosed) throw new Error('state: changed after it was closed')
    merge(this.changed.rows, change.rows)
    merge(this.changed.providers, change.providers)
    try {
      await this.journal.append(change)
    } catch (error) {
      throw diskProblem(error, this.files.journal, 'written')
    }
  }

  /**
   * Writes the state file first, then removes the journal. A crash in between leaves a journal that is older than the
   * file, which is ignored.
   */
  private async fold(): Promise<void> {
    if (this.hasChanges()) {
      await this.backUp()
      await this.save({ ...this.contents(), serial: this.serial + 1 })
    }
    if (!this.hasJournal) return
    try {
      await this.disk.remove(this.files.journal)
      await this.disk.flushFolder(this.files.folder)
      this.hasJournal = false
    } catch (error) {
      throw diskProblem(error, this.files.journal, 'written')
    }
  }

  private hasChanges(): boolean {
    const before = this.saved ?? this.emptyContents()
    const { rows, providers } = this
    if (rows.size !== before.rows.size || providers.size !== before.providers.size) return true
    if (this.project !== before.project) return true
    return serialiseState({ ...before, rows, providers }) !== serialiseState(before)
  }

  private async save(contents: Contents): Promise<void> {
    await replaceFile(this.disk, this.files, this.files.state, new TextEncoder().encode(serialiseState(contents)))
    this.saved = contents
  }

  /** Copies the state file once per run, so that the backup is from before the run. */
  private async backUp(): Promise<void> {
    if (this.isBackedUp) return
    const previous = await readIfThere(this.disk, this.files.state)
    if (previous) await replaceFile(this.disk, this.files, this.files.backup, previous)
    this.isBackedUp = true
  }

  /** Returns copies: saved contents must not change with the rows. */
  private contents(): Contents {
    return { ...this.emptyContents(), rows: new Map(this.rows), providers: new Map(this.providers) }
  }

  private emptyContents(): Contents {
    const { project, formerly, lineage, salt, folderId, fileName } = this
    const folder = folderId === undefined ? {} : { folder: folderId }
    return {
      project,
      ...(formerly === undefined ? {} : { formerly: [...formerly] }),
      ...folder,
      ...(fileName === undefined ? {} : { file: fileName }),
      lineage,
      serial: 0,
      salt,
      rows: new Map(),
      providers: new Map(),
    }
  }

  /**
   * Opens the journal. It contains changes of a state file, so the first state file of a project is written before it.
   */
  private async openJournal(): Promise<Appender> {
    const { disk, files } = this
    if (!this.saved) {
      await this.save(this.emptyContents())
      this.isBackedUp = true // There was nothing to back up before this run.
    }
    this.hasJournal = true
    await disk.write(files.journal, new TextEncoder().encode(headerText(this)), files.access)
    await disk.flushFolder(files.folder)
    return disk.append(files.journal, files.access)
  }
}
