// `agents documents delete ID`: removes documents with everything of them. One that cannot be removed does not keep the
// others from being removed.
import { Command, Option } from 'clipanion'
import { Problem } from '../../core/diagnostic.js'
import type { DocumentsClient } from '../documents/client.js'
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
    const ids = [...new Set(this.docIds)]
    let removed = 0
    for (const id of ids) if (await this.isRemoved(id, client)) removed += 1
    if (removed === ids.length) return exitCode.done
    return removed === 0 ? exitCode.failed : exitCode.partial
  }

  private async isRemoved(id: string, client: DocumentsClient): Promise<boolean> {
    try {
      await client.none(this.documentPath(id), { method: 'DELETE' })
    } catch (error) {
      if (!(error instanceof Problem) || error.diagnostics.some(({ code }) => code !== 'documents.refused')) throw error
      this.output.report(error.diagnostics.map((one) => ({ ...one, detail: `${id}: ${one.detail ?? one.summary}` })))
      return false
    }
    this.output.record({ type: 'deleted', id })
    this.output.print(`Removed ${id}.`)
    return true
  }
}
