// `agents documents open ID`: makes a link that shows the document in a browser, and opens it on a desktop.
import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { presetNames, scopesOf } from '../../server/auth/scope-presets.js'
import type { DocumentRecord, DocumentsClient } from '../documents/client.js'
import { bytesMaxOption, DocumentsCommand, defaultLayer } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const minutes = t.cascade(t.isNumber(), [t.isInteger(), t.isInInclusiveRange(1, 7 * 24 * 60)])

/** Whoever has the API token may do more, whoever gets the link need not. */
const reading = ['read', 'download', 'print']

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
      ['Two layers to choose from', 'agents documents open ID --layer default --layer legal'],
      ['To comment, under a name', 'agents documents open ID --scope comment --name Ada'],
      ['The link alone', 'agents documents open ID --no-browser'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  layers = Option.Array('--layer', {
    description: `Layer to show; more can be chosen in the viewer. Default ${defaultLayer}.`,
  })
  minutes = Option.String('--minutes', '60', {
    description: 'Validity of the link, 1 to 10080 (a week). Default 60.',
    validator: minutes,
  })
  scope = Option.Array('--scope', {
    description: `What the link may do; may be repeated: ${presetNames}, or scopes of tokens. Default: read, download, print.`,
  })
  displayName = Option.String('--name', {
    description:
      'Name that readers see beside what is written with the link, and while it is open. Default: the account on this machine.',
  })
  bytesMax = Option.String('--bytes-max', {
    description:
      'Bytes that the link may add to the document, in each layer; 0 is unlimited. Default: the setting of the server.',
    validator: bytesMaxOption,
  })
  browser = Option.Boolean('--browser', true, { description: 'Open the link on a desktop. Default yes.' })

  override async execute(): Promise<ExitCode> {
    const { refuseFailed } = await import('../documents/refuse-failed.js')
    const { hasDesktop, openInBrowser } = await import('../documents/open-in-browser.js')
    const client = await this.connect()
    const { docId, layers = [defaultLayer] } = this
    const { document } = await client.json<{ document: DocumentRecord }>(this.documentPath(docId))
    // A link to nothing helps nobody.
    refuseFailed(document, 'The file')
    const issued: IssuedToken[] = []
    // Whoever opens the link is one person in all of its layers, and nobody who opens another link.
    const userId = `link-${randomUUID()}`
    for (const layerName of new Set(layers)) issued.push(await this.issue(client, { layerName, userId }))
    const tokens = issued.map(({ token }) => `token=${token}`).join('&')
    const [layerName = defaultLayer] = layers
    const query = layerName === defaultLayer ? '' : `?layer=${encodeURIComponent(layerName)}`
    const url = client.pageAddress(`/view/${encodeURIComponent(docId)}${query}#${tokens}`)
    this.output.record({ type: 'link', docId, layerName, layers, url, expiresAt: issued[0]?.expiresAt })
    this.output.print(url)
    if (this.browser && !this.json && hasDesktop(this.context)) await openInBrowser(url)
    return exitCode.done
  }

  private issue(client: DocumentsClient, reader: { layerName: string; userId: string }): Promise<IssuedToken> {
    const { docId, scope = reading, minutes, displayName = accountName(), bytesMax } = this
    const path = `/v1/tenants/${encodeURIComponent(this.tenant)}/tokens`
    const issue = { kind: 'doc', sub: 'agents documents open', docId, displayName, ...reader, storedBytesMax: bytesMax }
    return client.json(path, { method: 'POST', json: { ...issue, scope: scopesOf(scope), expiresIn: minutes * 60 } })
  }
}

/** A user id of a container may have no account. */
function accountName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}

interface IssuedToken {
  readonly token: string
  readonly expiresAt: number
}
