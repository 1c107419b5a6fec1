// `agents documents render ID`: a picture of a page.
import { writeFile } from 'node:fs/promises'
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { type ExitCode, exitCode } from '../exit-codes.js'
import { ReadingCommand } from '../reading-command.js'

const wholeFrom = (lowest: number) => t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(lowest)])

export class DocumentsRenderCommand extends ReadingCommand {
  static override paths = [['documents', 'render']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Draw a page as WebP or PNG',
    examples: [
      ['The first page, 800 pixels wide', 'agents documents render ID'],
      ['Page 3, larger', 'agents documents render ID --page 3 --width 1600 --out page-3.png'],
      ['An encrypted document', 'STEWARD_DOCUMENT_PASSWORD=… agents documents render ID'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  page = Option.String('--page', '1', { description: 'Page, from 1.', validator: wholeFrom(1) })
  width = Option.String('--width', '800', { description: 'Width in pixels. Default 800.', validator: wholeFrom(1) })
  out = Option.String('--out', { description: 'File to write; its ending says webp or png. Default ID-PAGE.webp.' })

  override async execute(): Promise<ExitCode> {
    const { pageKeyOf } = await import('../documents/page.js')
    const client = await this.connectForReading()
    const layer = this.layerPath(this.docId)
    const key = await pageKeyOf(client, layer, this.page)
    const path = this.out ?? `${this.docId}-${this.page}.webp`
    const bytes = await client.bytes(`${layer}/render/pages/${key}/data`, {
      query: { format: path.endsWith('.png') ? 'png' : 'webp', 'viewport.kind': 'width', 'viewport.width': this.width },
    })
    await writeFile(this.localPath(path), bytes)
    this.output.record({ type: 'picture', path, pageKey: key, sizeBytes: bytes.length })
    this.output.print(path)
    return exitCode.done
  }
}
