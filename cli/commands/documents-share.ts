// `agents documents share ID`: creates a link for people without an account.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { presetNames, scopesOf } from '../../server/auth/scope-presets.js'
import { bytesMaxOption, DocumentsCommand, defaultLayer } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

const variable = 'STEWARD_SHARE_PASSPHRASE'

export class DocumentsShareCommand extends DocumentsCommand {
  static override paths = [['documents', 'share']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Share a document with anybody who has the link',
    details:
      'Prints a link that shows the document in a browser. Pages of your own exchange the token at its end for a session.',
    examples: [
      ['Reading', 'agents documents share ID'],
      ['Another layer, for a week', 'agents documents share ID --layer legal --minutes 10080'],
      ['To comment, and to change your own comments', 'agents documents share ID --scope comment'],
      ['From one site only', 'agents documents share ID --origin https://example.com --scope download'],
    ],
  })

  docId = Option.String({ name: 'ID' })
  layer = Option.String('--layer', defaultLayer, { description: `Layer to show. Default ${defaultLayer}.` })
  minutes = Option.String('--minutes', {
    description: 'Validity of the link. Default: until it is removed.',
    validator: t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(1)]),
  })
  scope = Option.Array('--scope', {
    description: `What the session may do; may be repeated: ${presetNames}, or scopes of tokens. Default: read.`,
  })
  displayName = Option.String('--name', {
    description: 'Name of whoever gets the link, beside what they write. Default: visitors are asked for it.',
  })
  origin = Option.Array('--origin', { description: 'Browser origin that may use it; may be repeated. Default: any.' })
  bytesMax = Option.String('--bytes-max', {
    description:
      'Bytes that all its visitors may add to the document; 0 is unlimited. Default: the setting of the server.',
    validator: bytesMaxOption,
  })
  passphrase = Option.Boolean('--passphrase', false, {
    description: `Protect it with a passphrase: from ${variable}, else asked for, else read from stdin.`,
  })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect(this.passphrase ? { secret: 'the passphrase of a share' } : {})
    const { docId, layer: layerName, minutes, scope = ['read'], displayName, origin, bytesMax } = this
    const passphrase = await this.readPassphrase()
    const path = `/v1/tenants/${encodeURIComponent(this.tenant)}/shares`
    const { share } = await client.json<{ readonly share: { readonly id: string } }>(path, {
      method: 'POST',
      json: {
        docId,
        layerName,
        scope: scopesOf(scope),
        ...(displayName === undefined ? {} : { displayName }),
        ...(minutes === undefined ? {} : { expiresAt: Date.now() + minutes * 60_000 }),
        ...(origin === undefined ? {} : { origins: origin }),
        ...(bytesMax === undefined ? {} : { storedBytesMax: bytesMax }),
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
