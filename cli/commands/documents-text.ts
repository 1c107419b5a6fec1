// `agents documents text ID`: the words of a page, or of all.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { DocumentsCommand } from '../documents-command.js'
import { type ExitCode, exitCode } from '../exit-codes.js'

interface Manifest {
  readonly pages: readonly { readonly page: { readonly objectNumber: number } }[]
}

export class DocumentsTextCommand extends DocumentsCommand {
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
    const { pageKeyOf } = await import('../documents/page.js')
    const client = await this.connect()
    const layer = this.layerPath(this.docId)
    const keys =
      this.page === undefined
        ? (await client.json<Manifest>(`${layer}/manifest`)).pages.map(({ page }) => `obj:${page.objectNumber}`)
        : [await pageKeyOf(client, layer, this.page)]
    for (const pageKey of keys) {
      const { text } = await client.json<{ readonly text: string }>(`${layer}/text/pages/${pageKey}/data`)
      this.output.record({ type: 'text', pageKey, text })
      this.output.print(text)
    }
    return exitCode.done
  }
}
