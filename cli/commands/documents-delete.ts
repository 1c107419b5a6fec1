// `agents documents delete ID`: removes a document with everything of it.
import { Command, Option } from 'clipanion'
import { DocumentsCommand } from '../documents-command.js'
import { type ExitCode, exitCode } from '../exit-codes.js'

export class DocumentsDeleteCommand extends DocumentsCommand {
  static override paths = [['documents', 'delete']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Remove documents for good',
    examples: [['Two of them', 'agents documents delete ID OTHER-ID']],
  })

  docIds = Option.Rest({ name: 'ID', required: 1 })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    for (const id of this.docIds) {
      await client.none(this.documentPath(id), { method: 'DELETE' })
      this.output.record({ type: 'deleted', id })
      this.output.print(`Removed ${id}.`)
    }
    return exitCode.done
  }
}
