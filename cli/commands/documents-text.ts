// `agents documents text ID`: prints the text of one page, or of all pages.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { visibleLines } from '../render/text.js'
import { ReadingCommand } from '../shared/reading-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class DocumentsTextCommand extends ReadingCommand {
  static override paths = [['documents', 'text']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Print the text of a document',
    examples: [
      ['All pages', 'agents documents text ID'],
      ['Page 2', 'agents documents text ID --page 2'],
      ['With the edits of another layer', 'agents documents text ID --layer legal'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  page = Option.String('--page', {
    description: 'Only this page, from 1.',
    validator: t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(1)]),
  })

  override async execute(): Promise<ExitCode> {
    const { pageOf, pagesOf } = await import('../documents/page.js')
    const client = await this.connectForReading()
    await this.noteUneditedLayer(client, this.docId)
    const layer = this.layerPath(this.docId, this.layer)
    const { page } = this
    const pages = page === undefined ? await pagesOf(client, layer) : [await pageOf(client, layer, page)]
    for (const { key: pageKey } of pages) {
      const { text } = await client.json<{ readonly text: string }>(`${layer}/text/pages/${pageKey}/data`)
      this.output.record({ type: 'text', pageKey, text })
      this.output.print(visibleLines(text))
    }
    return exitCode.done
  }
}
