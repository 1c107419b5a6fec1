// `agents documents limits`: shows what a tenant, or the visitors of a share, store and may store, and sets it.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { columns, sized } from '../render/text.js'
import { bytesMaxOption, DocumentsCommand } from '../shared/documents-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

/** Word for the bound that the settings of the server give. */
const ofServer = 'default'

export class DocumentsLimitsCommand extends DocumentsCommand {
  static override paths = [['documents', 'limits']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Show and set what a tenant or a share may store',
    details:
      'A bound of its own stands in place of the setting of "agents serve", above or below it. To set that of a tenant takes\n' +
      'the API token; that of a share counts for later sessions. For tokens see "documents open --bytes-max".',
    examples: [
      ['What a tenant stores, and may store', 'agents documents limits --tenant acme'],
      ['At most 5 GB', 'agents documents limits --tenant acme --bytes-max 5000000000'],
      ['The setting of the server again', 'agents documents limits --tenant acme --bytes-max default'],
      ['For the visitors of a share', 'agents documents limits --tenant acme --share SHARE --bytes-max 1000000'],
    ],
  })

  share = Option.String('--share', { description: 'Share whose visitors are meant: the end of its link.' })
  bytesMax = Option.String('--bytes-max', {
    description: `Bytes that may be stored from now on; 0 is unlimited, ${ofServer} the setting of the server.`,
    validator: t.isOneOf([t.isLiteral(ofServer), bytesMaxOption]),
  })

  override async execute(): Promise<ExitCode> {
    return this.share === undefined ? this.ofTenant() : this.ofShare(this.share)
  }

  private async ofTenant(): Promise<ExitCode> {
    const path = `/v1/tenants/${encodeURIComponent(this.tenant)}`
    const client = await this.connect()
    const { update } = this
    if (update !== undefined) await client.json(path, update)
    const { metrics, limits } = await client.json<TenantUsage>(`${path}/usage`)
    const [storedBytes, bytesMax] = [metrics['storage.bytes'], limits['storage.bytes']]
    const [shareBytesMax, tokenBytesMax] = [limits['share.bytes'], limits['token.bytes']]
    const { tenant: tenantId } = this
    this.output.record({ type: 'limits', tenantId, storedBytes, bytesMax, shareBytesMax, tokenBytesMax })
    this.output.print(
      columns([
        ['Stored', sized(storedBytes)],
        ['May store', boundText(bytesMax)],
        ['Each share', boundText(shareBytesMax)],
        ['Each token', boundText(tokenBytesMax)],
      ]),
    )
    return exitCode.done
  }

  private async ofShare(id: string): Promise<ExitCode> {
    const path = `/v1/tenants/${encodeURIComponent(this.tenant)}/shares/${encodeURIComponent(id)}`
    const client = await this.connect()
    const { share } = await client.json<{ readonly share: Share }>(path, this.update)
    this.output.record({ type: 'share', ...share })
    const { storedBytes, storedBytesMax } = share
    const mayStore = storedBytesMax === null ? 'as the server sets' : boundText(storedBytesMax || null)
    this.output.print(
      columns([
        ['Stored', sized(storedBytes)],
        ['May store', mayStore],
      ]),
    )
    return exitCode.done
  }

  /** Request that sets the bound; undefined if it is only to be shown. */
  private get update() {
    const { bytesMax } = this
    if (bytesMax === undefined) return undefined
    return { method: 'PATCH' as const, json: { storedBytesMax: bytesMax === ofServer ? null : bytesMax } }
  }
}

/** `bytes`: null = unlimited. */
const boundText = (bytes: number | null): string => (bytes === null ? 'unlimited' : sized(bytes))

interface TenantUsage {
  readonly metrics: { readonly 'storage.bytes': number }
  readonly limits: Readonly<Record<'storage.bytes' | 'share.bytes' | 'token.bytes', number | null>>
}

interface Share {
  readonly storedBytes: number
  readonly storedBytesMax: number | null
}
