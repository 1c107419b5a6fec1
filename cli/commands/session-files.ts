// `agents session files ID`: lists the files that a session has made, and downloads them.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import type { Diagnostic } from '../../core/diagnostic.js'
import type { MadeFile } from '../../core/plugin/sessions.js'
import type { Disk } from '../../core/ports/disk.js'
import type { SessionHandle } from '../../core/sessions/sessions.js'
import { columns, countOf, visible } from '../render/text.js'
import { ActionCommand } from '../shared/action-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class SessionFilesCommand extends ActionCommand {
  static override paths = [['session', 'files']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'List the files that a session has made, or download them',
    details:
      'Of several files with one name the newest is written. A file that exists here stays, and one whose name is not\n' +
      'that of a plain file is left out: both are reported, with exit code 3. Only your user can read what is written.',
    examples: [
      ['What it made', 'agents session files sess_01'],
      ['Get it', 'agents session files sess_01 --download .'],
      ['Again, over what is there', 'agents session files sess_01 --download out --overwrite'],
    ],
  })

  session = Option.String({ name: 'ID' })
  download = Option.String('--download', { description: 'Folder to write them to; it is created if necessary.' })
  overwrite = Option.Boolean('--overwrite', false, { description: 'Replace files that exist.' })

  override async execute(): Promise<ExitCode> {
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.actWithOutcome(async (applied) => {
      const handle = new SessionHandle(applied, this.session, this.provider)
      const made: MadeFile[] = []
      for await (const file of handle.files()) made.push(file)
      if (this.download !== undefined) return this.#write(handle, made, applied.options.ports.disk, this.download)
      for (const file of made) this.#record(handle, file)
      const rows = made.map(({ id, name, sizeBytes, createdAt }) => [id, createdAt ?? '', `${sizeBytes ?? ''}`, name])
      if (rows.length > 0) this.output.print(columns(rows.map((row) => row.map(visible))))
      return this.#end(handle, made.length, [])
    })
  }

  async #write(handle: SessionHandle, made: readonly MadeFile[], disk: Disk, folder: string): Promise<ExitCode> {
    const { writableFiles, refusedDownload } = await import('../../core/sessions/made-files.js')
    const { files, refused } = writableFiles(made, handle.id)
    const notes: Diagnostic[] = [...refused]
    let written = 0
    await mkdir(resolve(this.context.workingFolder, folder), { recursive: true })
    for (const file of files) {
      const path = join(folder, file.name)
      const bytes = await handle.download(file).catch((error) => refusedDownload(file, handle.id, error))
      const fault = bytes instanceof Uint8Array ? await this.#save(disk, path, bytes, handle, file) : bytes
      if (fault) {
        notes.push(fault)
        continue
      }
      written++
      this.#record(handle, file, path)
      this.output.print(visible(path))
    }
    return this.#end(handle, written, notes)
  }

  /** Returns why the file was not written. */
  async #save(
    disk: Disk,
    path: string,
    bytes: Uint8Array,
    { id }: SessionHandle,
    file: MadeFile,
  ): Promise<Diagnostic | undefined> {
    const { existingFile } = await import('../../core/sessions/made-files.js')
    const { saveFile } = await import('../documents/save-file.js')
    const to = resolve(this.context.workingFolder, path)
    if (await disk.create(to, bytes, { mode: 0o600 })) return undefined
    if (!this.overwrite || (await disk.status(to))?.kind === 'folder') return existingFile(file, id, path)
    await saveFile(to, [bytes])
    return undefined
  }

  #record({ provider, id: session }: SessionHandle, file: MadeFile, path?: string): void {
    this.output.record({ type: 'file', provider, session, ...file, ...(path === undefined ? {} : { path }) })
  }

  #end({ provider, id: session }: SessionHandle, files: number, notes: readonly Diagnostic[]): ExitCode {
    const { output } = this
    output.report(notes)
    output.record({ type: 'summary', provider, session, files })
    output.note(files === 0 ? 'There are no files.' : `${countOf(files, 'file')}.`)
    return notes.length === 0 ? exitCode.done : exitCode.partial
  }
}
