// `agents documents delete ID`: removes documents with all their data. A failure of one removal does not prevent the
// others.
import { Command, Option } from 'clipanion'
import { Problem } from '../../core/diagnostic.js'
import type { DocumentsClient } from '../documents/client.js'
import { requireConsent } from '../reconcile/consent.js'
import { counted } from '../render/text.js'
import { DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { ask } from '../terminal/questions.js'

export class DocumentsDeleteCommand extends DocumentsCommand {
  static override paths = [['documents', 'delete']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Remove documents for good',
    details: 'It asks first. Without a terminal to ask on it needs --yes.',
    examples: [
      ['Two of them', 'agents documents delete ID OTHER-ID'],
      ['In a script', 'agents documents delete --yes ID'],
    ],
  })

  docIds = Option.Rest({ name: 'ID', required: 1 })

  yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask.' })

  override async execute(): Promise<ExitCode> {
    requireConsent(this, this.yes, 'Add --yes.')
    const client = await this.connect()
    const ids = [...new Set(this.docIds)]
    if (!(await this.isAgreed(ids))) {
      this.output.note('Nothing was removed.')
      return exitCode.failed
    }
    let removed = 0
    for (const id of ids) if (await this.isRemoved(id, client)) removed += 1
    if (removed === ids.length) return exitCode.done
    return removed === 0 ? exitCode.failed : exitCode.partial
  }

  private async isAgreed(ids: readonly string[]): Promise<boolean> {
    if (this.yes) return true
    this.output.note(`${counted(ids.length, 'document')} and everything made of it will be gone for good.`)
    return (await ask(this.context, 'Go on? Type "yes": '))?.toLowerCase() === 'yes'
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
