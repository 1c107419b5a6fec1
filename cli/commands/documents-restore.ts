// `agents documents restore DIR`: puts a backup into an empty data folder, for a server that does not run yet.
import { resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import { dataFolder, dataOption } from '../documents/data-option.js'
import { Output } from '../render/output.js'
import { counted } from '../render/text.js'
import type { Context } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsRestoreCommand extends Command<Context> {
  static override paths = [['documents', 'restore']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Put a backup into an empty data folder',
    details:
      'The folder may hold secrets.json and nothing else. With the secrets of the server that was backed up, tokens and\n' +
      'shares that were given out go on working.',
    examples: [['On a new machine', 'agents documents restore backups/2026-11-21 --data /srv/steward']],
  })

  folder = Option.String({ name: 'DIR' })
  data = dataOption('Data folder to fill; made when missing.')
  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  override async execute(): Promise<ExitCode> {
    const { restoreBackup } = await import('../../server/backup/restore.js')
    const { explained } = await import('../documents/backup-problem.js')
    const { env, workingFolder } = this.context
    const data = dataFolder(this.data, env)
    const { rows, blobs, createdAt } = await explained(data, () =>
      restoreBackup({ from: resolve(workingFolder, this.folder), folder: resolve(workingFolder, data) }),
    )
    this.output.record({ type: 'restored', path: data, rows: rows.rows, blobs: blobs.length, createdAt })
    const from = `the backup of ${new Date(createdAt).toISOString()}`
    this.output.print(`${data}: ${counted(rows.rows, 'record')} and ${counted(blobs.length, 'file')} of ${from}.`)
    return exitCode.done
  }
}
