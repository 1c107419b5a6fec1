// `agents documents restore DIR`: restores a backup into an empty data folder, database or storage of files, before a
// server runs on it.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import { Output } from '../render/output.js'
import { countOf } from '../render/text.js'
import { textSetting } from '../shared/setting-options.js'
import type { Context } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsRestoreCommand extends Command<Context> {
  static override paths = [['documents', 'restore']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Restore a backup into an empty data folder, or a database and a storage of files',
    details:
      'The folder may contain secrets.json and nothing else. With the secrets of the server that was backed up, existing\n' +
      'tokens and shares stay valid. --data, --store and --blobs are those of "agents serve", with the same variables and\n' +
      'settings file. If the restore is interrupted, no server starts on the target, and the same command starts over.',
    examples: [
      ['On a new machine', 'agents documents restore backups/2026-11-21 --data /srv/steward'],
      [
        'Into PostgreSQL and S3',
        'agents documents restore backups/2026-11-21 --store postgres://steward@db/steward --blobs s3://bucket/prefix',
      ],
    ],
  })

  folder = Option.String({ name: 'DIR' })
  config = Option.String('--config', { description: 'YAML file with the settings of the server.' })
  data = textSetting('data')
  store = textSetting('store')
  blobs = textSetting('blobs')
  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  override async execute(): Promise<ExitCode> {
    const { restoreBackup } = await import('../../server/backup/restore.js')
    const { explainBackupErrors: explained } = await import('../documents/backup-problem.js')
    const { readSettings } = await import('../../server/settings/settings.js')
    const { config: file, context, output } = this
    const { data, store, blobs } = await readSettings({
      flags: { data: this.data, store: this.store, blobs: this.blobs },
      env: context.env,
      ...(file ? { file } : {}),
    })
    const inFolder = (path: string) => resolve(context.workingFolder, path)
    const {
      rows,
      blobs: files,
      createdAt,
    } = await explained(data, () =>
      restoreBackup({ from: inFolder(this.folder), folder: inFolder(data), engines: { store, blobs } }),
    )
    output.record({ type: 'restored', path: data, rows: rows.rows, blobs: files.length, createdAt })
    const places = [store && 'the database', blobs && 'the storage of files', store && blobs ? undefined : data]
    output.print(
      `${places.filter(Boolean).join(' and ')}: ${countOf(rows.rows, 'record')} and ${countOf(files.length, 'file')} of the backup of ${new Date(createdAt).toISOString()}.`,
    )
    if (!existsSync(join(inFolder(data), 'secrets.json')) && context.env['STEWARD_SEALING_KEY'] === undefined) {
      output.note(
        `A backup has no secrets. Put secrets.json of the server that was backed up into ${data} before you serve it: with others, tokens are refused, and edits of encrypted documents cannot be read.`,
      )
    }
    return exitCode.done
  }
}
