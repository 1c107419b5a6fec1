// `agents documents render ID`: writes a picture of a page.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const wholeFrom = (lowest: number) => t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(lowest)])

export class DocumentsRenderCommand extends ReadingCommand {
  static override paths = [['documents', 'render']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Draw a page as WebP or PNG',
    details: 'Draws the content of the page, rotated as a viewer shows it, without annotations and form fields.',
    examples: [
      ['The first page, 800 pixels wide', 'agents documents render ID'],
      ['Page 3, larger', 'agents documents render ID --page 3 --width 1600 --out page-3.png'],
      ['With the edits of another layer', 'agents documents render ID --layer legal'],
      ['An encrypted document', 'STEWARD_DOCUMENT_PASSWORD=… agents documents render ID'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  page = Option.String('--page', '1', { description: 'Page, from 1.', validator: wholeFrom(1) })
  width = Option.String('--width', '800', { description: 'Width in pixels. Default 800.', validator: wholeFrom(1) })
  rotation = Option.String('--rotation', {
    description: 'Clockwise rotation: 0, 90, 180 or 270, in the place of that of the page. Default: that of the page.',
    validator: t.cascade(t.isNumber(), t.isOneOf([0, 90, 180, 270].map((turn) => t.isLiteral(turn)))),
  })
  out = Option.String('--out', { description: 'File to write; ends in .webp or .png. Default ID-PAGE.webp.' })

  override async execute(): Promise<ExitCode> {
    const { pageOf } = await import('../documents/page.js')
    const { saveFile } = await import('../documents/save-file.js')
    const { pictureFormat } = await import('../documents/picture-format.js')
    const path = this.out ?? `${this.docId}-${this.page}.webp`
    const format = pictureFormat(path)
    const client = await this.connectForReading()
    await this.noteUneditedLayer(client, this.docId)
    const layer = this.layerPath(this.docId, this.layer)
    const { key, rotation } = await pageOf(client, layer, this.page)
    const bytes = await client.bytes(`${layer}/render/pages/${key}/data`, {
      query: {
        format,
        'viewport.kind': 'width',
        'viewport.width': this.width,
        rotation: this.rotation ?? rotation,
      },
    })
    await saveFile(this.localPath(path), [bytes])
    this.output.record({ type: 'picture', path, pageKey: key, sizeBytes: bytes.length })
    this.output.print(path)
    return exitCode.done
  }
}
