// `agents documents share ID`: creates a link for people without an account.
import { Command, Option } from 'clipanion'
import { readingScopes } from '../documents/reading-scopes.js'
import { DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const variable = 'STEWARD_SHARE_PASSPHRASE'

export class DocumentsShareCommand extends DocumentsCommand {
  static override paths = [['documents', 'share']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Share a document with anybody who has the link',
    details:
      'Prints a link that shows the document in a browser. Pages of your own exchange the token at its end for a session.\n' +
      'Default scope: reading without download.',
    examples: [
      ['Reading', 'agents documents share ID'],
      ['From one site only', 'agents documents share ID --origin https://example.com --scope "*"'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  scope = Option.Array('--scope', { description: 'What the session may do; may be repeated.' })
  origin = Option.Array('--origin', { description: 'Browser origin that may use it; may be repeated. Default: any.' })
  passphrase = Option.Boolean('--passphrase', false, {
    description: `Protect it with a passphrase: from ${variable}, else asked for, else read from stdin.`,
  })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const { docId, scope = readingScopes, origin } = this
    const passphrase = await this.readPassphrase()
    const path = `/v1/tenants/${encodeURIComponent(this.tenant)}/shares`
    const { share } = await client.json<{ readonly share: { readonly id: string } }>(path, {
      method: 'POST',
      json: {
        docId,
        scope,
        ...(origin === undefined ? {} : { origins: origin }),
        ...(passphrase === undefined ? {} : { password: passphrase }),
      },
    })
    const url = client.pageAddress(`/s/${share.id}`)
    this.output.record({ type: 'share', ...share, url })
    this.output.print(url)
    return exitCode.done
  }

  private async readPassphrase(): Promise<string | undefined> {
    if (!this.passphrase) return undefined
    const { readSecret } = await import('../documents/read-secret.js')
    return readSecret(this.context, { variable, question: 'Passphrase of the share: ' })
  }
}
