// `agents documents upload FILE`: stores a PDF.
import { Command, Option } from 'clipanion'
import { DocumentsCommand } from '../documents-command.js'
import { type ExitCode, exitCode } from '../exit-codes.js'

export class DocumentsUploadCommand extends DocumentsCommand {
  static override paths = [['documents', 'upload']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Store PDF files',
    details: 'Prints the id of each document. The tenant is made when it does not exist.',
    examples: [
      ['One file', 'agents documents upload report.pdf'],
      ['Under an id of your own, once', 'agents documents upload report.pdf --id report-2026 --reuse'],
    ],
  })

  files = Option.Rest({ name: 'FILE', required: 1 })
  docId = Option.String('--id', { description: 'Id of the document. Default: the server makes one.' })
  reuse = Option.Boolean('--reuse', false, { description: 'Answer a document that holds the same bytes already.' })

  override async execute(): Promise<ExitCode> {
    const { uploadFile } = await import('../documents/upload.js')
    const { output, tenant } = this
    const client = await this.connect()
    for (const path of this.files) {
      const wish = { tenant, path, docId: this.docId, reusesExisting: this.reuse }
      const { document, isNew } = await uploadFile(client, wish)
      output.record({ type: 'document', isNew, ...document })
      output.print(document.id)
      if (!isNew) output.note(`${path} was stored already.`)
    }
    return exitCode.done
  }
}
