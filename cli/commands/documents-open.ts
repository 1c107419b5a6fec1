// `agents documents open ID`: makes a link that shows the document in a browser, and opens it on a desktop.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { readingScopes, savingScopes } from '../documents/reading-scopes.js'
import { DocumentsCommand, defaultLayer } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const minutes = t.cascade(t.isNumber(), [t.isInteger(), t.isInInclusiveRange(1, 7 * 24 * 60)])

/** Reading, with saving and printing: whoever has the API token may do more, whoever gets the link need not. */
const reading = [...readingScopes, ...savingScopes]

export class DocumentsOpenCommand extends DocumentsCommand {
  static override paths = [['documents', 'open']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Look at a document in a browser',
    details:
      'Prints a link with a token of its own, and opens it on a desktop. Whoever has the link can read the document until\n' +
      'the token expires; for others make a share ("agents documents share"), which can be withdrawn.',
    examples: [
      ['For an hour', 'agents documents open ID'],
      ['Another layer, for a day', 'agents documents open ID --layer legal --minutes 1440'],
      ['The link alone', 'agents documents open ID --no-browser'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  layer = Option.String('--layer', defaultLayer, { description: `Layer to show. Default ${defaultLayer}.` })
  minutes = Option.String('--minutes', '60', { description: 'Validity of the link. Default 60.', validator: minutes })
  scope = Option.Array('--scope', { description: 'What the link may do; may be repeated. Default: reading.' })
  browser = Option.Boolean('--browser', true, { description: 'Open the link on a desktop. Default yes.' })

  override async execute(): Promise<ExitCode> {
    const { hasDesktop, openInBrowser } = await import('../documents/open-in-browser.js')
    const client = await this.connect()
    const { docId, layer, scope = reading } = this
    await client.json(this.documentPath(docId)) // A link to nothing helps nobody.
    const path = `/v1/tenants/${encodeURIComponent(this.tenant)}/tokens`
    const json = {
      kind: 'doc',
      sub: 'agents documents open',
      docId,
      layerName: layer,
      scope,
      expiresIn: this.minutes * 60,
    }
    const { token, expiresAt } = await client.json<{ readonly token: string; readonly expiresAt: number }>(path, {
      method: 'POST',
      json,
    })
    const query = layer === defaultLayer ? '' : `?layer=${encodeURIComponent(layer)}`
    const url = client.pageAddress(`/view/${encodeURIComponent(docId)}${query}#token=${token}`)
    this.output.record({ type: 'link', docId, layerName: layer, url, expiresAt })
    this.output.print(url)
    if (this.browser && !this.json && hasDesktop(this.context)) await openInBrowser(url)
    return exitCode.done
  }
}
