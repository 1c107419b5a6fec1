// `agents documents download ID`: downloads the PDF, with the edits of a layer if one is named.
import { Command, Option } from 'clipanion'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsDownloadCommand extends ReadingCommand {
  static override paths = [['documents', 'download']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Write a document to a file',
    examples: [
      ['As it was uploaded or last signed', 'agents documents download ID --out report.pdf'],
      ['With the edits of a layer', 'agents documents download ID --layer default'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  override layer = Option.String('--layer', {
    description: 'Layer whose edits are included. Default: none, the newest version as it was uploaded or signed.',
  })
  out = Option.String('--out', { description: 'File to write. Default ID.pdf.' })

  override async execute(): Promise<ExitCode> {
    const { saveFile } = await import('../documents/save-file.js')
    const { TransferLine } = await import('../documents/transfer-line.js')
    const { docId, layer, output, out = `${docId}.pdf` } = this
    // The uploaded bytes stay encrypted; the edits of a layer require the password.
    const client = layer === undefined ? await this.connect() : await this.connectForReading()
    await this.noteUneditedLayer(client, docId)
    const path = layer === undefined ? this.documentPath(docId) : this.layerPath(docId, layer)
    const { bytes, sizeBytes } = await client.stream(`${path}/download`)
    const saved = await saveFile(this.localPath(out), new TransferLine(output, out, sizeBytes).through(bytes))
    output.record({ type: 'file', path: out, sizeBytes: saved })
    output.print(out)
    return exitCode.done
  }
}
