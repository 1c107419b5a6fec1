// `agents documents export-annotations ID`: writes the annotations of a layer to an XFDF file.
import { Command, Option } from 'clipanion'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsExportAnnotationsCommand extends ReadingCommand {
  static override paths = [['documents', 'export-annotations']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Write annotations to an XFDF file',
    examples: [
      ['To ID.xfdf', 'agents documents export-annotations ID'],
      ['With the values of the form', 'agents documents export-annotations ID --values --out review.xfdf'],
      ['Those of another layer', 'agents documents export-annotations ID --layer legal'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  values = Option.Boolean('--values', false, { description: 'Include the values of the form.' })
  out = Option.String('--out', { description: 'File to write. Default ID.xfdf.' })

  override async execute(): Promise<ExitCode> {
    const { saveFile } = await import('../documents/save-file.js')
    const { docId, layer, output, out = `${docId}.xfdf` } = this
    const client = await this.connectForReading()
    await this.noteUneditedLayer(client, docId)
    const query = this.values ? { values: 'true' } : {}
    const bytes = await client.bytes(`${this.layerPath(docId, layer)}/annotations/export`, { query })
    await saveFile(this.localPath(out), [bytes])
    output.record({ type: 'file', path: out, sizeBytes: bytes.length })
    output.print(out)
    return exitCode.done
  }
}
