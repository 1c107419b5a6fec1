// `agents documents restore DIR`: restores a backup into an empty data folder, before a server runs on it.
import { resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import { dataFolder, dataOption } from '../documents/data-option.js'
import { Output } from '../render/output.js'
import { countOf } from '../render/text.js'
import type { Context } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsRestoreCommand extends Command<Context> {
  static override paths = [['documents', 'restore']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Restore a backup into an empty data folder',
    details:
      'The folder may contain secrets.json and nothing else. With the secrets of the server that was backed up, existing\n' +
      'tokens and shares stay valid.',
    examples: [['On a new machine', 'agents documents restore backups/2026-11-21 --data /srv/steward']],
  })

  folder = Option.String({ name: 'DIR' })
  data = dataOption('Data folder to restore into; created if missing.')
  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  override async execute(): Promise<ExitCode> {
    const { restoreBackup } = await import('../../server/backup/restore.js')
    const { explainBackupErrors: explained } = await import('../documents/backup-problem.js')
    const { env, workingFolder } = this.context
    const data = dataFolder(this.data, env)
    const { rows, blobs, createdAt } = await explained(data, () =>
      restoreBackup({ from: resolve(workingFolder, this.folder), folder: resolve(workingFolder, data) }),
    )
    this.output.record({ type: 'restored', path: data, rows: rows.rows, blobs: blobs.length, createdAt })
    const from = `the backup of ${new Date(createdAt).toISOString()}`
    this.output.print(`${data}: ${countOf(rows.rows, 'record')} and ${countOf(blobs.length, 'file')} of ${from}.`)
    return exitCode.done
  }
}
