// `agents documents text ID`: the words of a page, or of all.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { type ExitCode, exitCode } from '../exit-codes.js'
import { ReadingCommand } from '../reading-command.js'
import { visible } from '../render/text.js'

export class DocumentsTextCommand extends ReadingCommand {
  static override paths = [['documents', 'text']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Print the text of a document',
    examples: [
      ['All pages', 'agents documents text ID'],
      ['Page 2', 'agents documents text ID --page 2'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  page = Option.String('--page', {
    description: 'Only this page, from 1.',
    validator: t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(1)]),
  })

  override async execute(): Promise<ExitCode> {
    const { pageKeyOf, pageKeysOf } = await import('../documents/page.js')
    const client = await this.connectForReading()
    const layer = this.layerPath(this.docId)
    const { page } = this
    const keys = page === undefined ? await pageKeysOf(client, layer) : [await pageKeyOf(client, layer, page)]
    for (const pageKey of keys) {
      const { text } = await client.json<{ readonly text: string }>(`${layer}/text/pages/${pageKey}/data`)
      this.output.record({ type: 'text', pageKey, text })
      this.output.print(visible(text))
    }
    return exitCode.done
  }
}
