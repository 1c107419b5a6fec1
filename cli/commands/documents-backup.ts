// `agents documents backup DIR`: writes a consistent copy of all data of a running server.
import { Command, Option } from 'clipanion'
import { countOf, sized } from '../render/text.js'
import { ServerCommand } from '../shared/server-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsBackupCommand extends ServerCommand {
  static override paths = [['documents', 'backup']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Copy all data of a running server',
    details:
      'The copy is of one moment, and the server goes on serving. It comes over the network with the API token, is\n' +
      'verified here, and holds no secrets: keep secrets.json of the data folder beside it, in a safe place.',
    examples: [
      ['Into a new folder', 'agents documents backup backups/2026-11-21'],
      ['Back into a data folder', 'agents documents restore backups/2026-11-21 --data /srv/steward'],
    ],
  })

  folder = Option.String({ name: 'DIR' })

  override async execute(): Promise<ExitCode> {
    const { receiveBackup } = await import('../../server/backup/stream.js')
    const { explainBackupErrors: explained } = await import('../documents/backup-problem.js')
    const { TransferLine } = await import('../documents/transfer-line.js')
    const { folder, output } = this
    const client = await this.connect()
    const { rows, blobs } = await explained(folder, async () => {
      const { bytes } = await client.stream('/v1/deployment/backup', { method: 'POST' })
      return receiveBackup(new TransferLine(output, folder, undefined).through(bytes), this.localPath(folder))
    })
    const sizeBytes = blobs.reduce((sum, blob) => sum + blob.sizeBytes, rows.sizeBytes)
    output.record({ type: 'backup', path: folder, rows: rows.rows, blobs: blobs.length, sizeBytes })
    output.print(
      `${folder}: ${countOf(rows.rows, 'record')} and ${countOf(blobs.length, 'file')}, ${sized(sizeBytes)}.`,
    )
    return exitCode.done
  }
}
