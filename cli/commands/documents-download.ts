// `agents documents download ID`: the PDF, with the edits of a layer where one is named.
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Command, Option } from 'clipanion'
import { DocumentsCommand } from '../documents-command.js'
import { type ExitCode, exitCode } from '../exit-codes.js'

export class DocumentsDownloadCommand extends DocumentsCommand {
  static override paths = [['documents', 'download']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Write a document to a file',
    examples: [
      ['As it was uploaded', 'agents documents download ID --out report.pdf'],
      ['With the edits of a layer', 'agents documents download ID --layer default'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  layer = Option.String('--layer', { description: 'Layer whose edits are taken along.' })
  out = Option.String('--out', { description: 'File to write. Default ID.pdf.' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const { docId, layer, out = `${docId}.pdf` } = this
    const path = layer === undefined ? this.documentPath(docId) : this.layerPath(docId, layer)
    const file = createWriteStream(resolve(this.context.workingFolder, out))
    await pipeline(await client.stream(`${path}/download`), file)
    this.output.record({ type: 'file', path: out, sizeBytes: file.bytesWritten })
    this.output.print(out)
    return exitCode.done
  }
}
