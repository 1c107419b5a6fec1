// `agents store copy`: moves the records of a stopped deployment between a data folder and a database.
import { resolve } from 'node:path'
import { Command, Option } from 'clipanion'
import { Output } from '../render/output.js'
import { countOf } from '../render/text.js'
import type { Context } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class StoreCopyCommand extends Command<Context> {
  static override paths = [['store', 'copy']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Copy the records of a stopped deployment to another store',
    details:
      'Stop every server first. The target must have no records; the copy is verified. If it is interrupted, no server\n' +
      'starts on the target, and the same command starts over. Files (blobs) and secrets.json are not copied.',
    examples: [
      ['To PostgreSQL', 'agents store copy --from /srv/steward --to postgres://steward@db/steward'],
      ['Back into a folder', 'agents store copy --from postgres://steward@db/steward --to /srv/steward'],
    ],
  })

  from = Option.String('--from', { required: true, description: 'Data folder, or address of a database.' })
  to = Option.String('--to', { required: true, description: 'Data folder or address of a database without records.' })
  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }

  override async execute(): Promise<ExitCode> {
    const { CopyRefused, CopySourceUnfit, copyStore } = await import('../../server/backup/copy-store.js')
    const { explainBackupErrors: explained } = await import('../documents/backup-problem.js')
    const { documentsProblem } = await import('../documents/problems.js')
    const { FolderInUse } = await import('../../server/storage/database.js')
    const place = (text: string) =>
      /^[a-z][a-z0-9+.-]+:\//i.test(text) ? text : resolve(this.context.workingFolder, text)
    const { rows, sha256 } = await explained('the data folder', async () => {
      try {
        return await copyStore({ from: place(this.from), to: place(this.to) })
      } catch (error) {
        if (error instanceof CopySourceUnfit) {
          throw documentsProblem('documents.no-copy-source', { detail: error.message, cause: error })
        }
        const isInUse = error instanceof FolderInUse
        if (!isInUse && !(error instanceof CopyRefused)) throw error
        const detail = isInUse
          ? 'Another copy or a server uses the data folder that --from or --to names.'
          : error.message
        throw documentsProblem('documents.copy-refused', { detail, cause: error })
      }
    })
    this.output.record({ type: 'store-copied', rows: rows, sha256 })
    this.output.print(`${countOf(rows, 'record')} copied and verified.`)
    return exitCode.done
  }
}
