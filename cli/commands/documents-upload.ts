// `agents documents upload FILE`: stores PDFs. An error in one file does not prevent the upload of the others.
import { Command, Option } from 'clipanion'
import { Problem } from '../../core/diagnostic.js'
import type { DocumentsClient } from '../documents/client.js'
import { countOf } from '../render/text.js'
import { DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsUploadCommand extends DocumentsCommand {
  static override paths = [['documents', 'upload']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Store PDF files',
    details: 'Prints the id of each document. The tenant is made when it does not exist.',
    examples: [
      ['One file', 'agents documents upload report.pdf'],
      ['Under an id of your own, once', 'agents documents upload report.pdf --id report-2026 --reuse'],
      ['A folder, for a program', 'agents documents upload --json reports/*.pdf | jq -r .id'],
    ],
  })

  files = Option.Rest({ name: 'FILE', required: 1 })
  docId = Option.String('--id', { description: 'Id of the document. Default: the server creates one.' })
  reuse = Option.Boolean('--reuse', false, { description: 'Return an existing document with the same bytes.' })

  override async execute(): Promise<ExitCode> {
    const { documentsProblem } = await import('../documents/problems.js')
    const { files, docId } = this
    if (docId !== undefined && files.length > 1) {
      throw documentsProblem('documents.one-id', { detail: `--id is given with ${countOf(files.length, 'file')}.` })
    }
    const client = await this.connect()
    let stored = 0
    for (const file of files) if (await this.tryStore(file, client)) stored += 1
    if (stored === files.length) return exitCode.done
    return stored === 0 ? exitCode.failed : exitCode.partial
  }

  private async tryStore(name: string, client: DocumentsClient): Promise<boolean> {
    try {
      await this.store(name, client)
      return true
    } catch (error) {
      // Without a server, the next file would fail as well.
      if (!(error instanceof Problem) || error.diagnostics.some(({ code }) => code === 'documents.unreachable'))
        throw error
      this.output.report(error.diagnostics)
      return false
    }
  }

  private async store(name: string, client: DocumentsClient): Promise<void> {
    const { uploadFile } = await import('../documents/upload.js')
    const { refuseFailed } = await import('../documents/refuse-failed.js')
    const { TransferLine } = await import('../documents/transfer-line.js')
    const { output, tenant } = this
    const { document, isNew } = await uploadFile(client, {
      tenant,
      name,
      path: this.localPath(name),
      docId: this.docId,
      reusesExisting: this.reuse,
      watch: (bytes, sizeBytes) => new TransferLine(output, name, sizeBytes).through(bytes),
    })
    output.record({ type: 'document', isNew, ...document })
    refuseFailed(document, name)
    output.print(document.id)
    if (!isNew) output.note(`${name} was stored already.`)
  }
}
