// What the `documents` commands share: the server they talk to, and the tenant they work in.
import { Command, Option } from 'clipanion'
import type { Context } from './context.js'
import type { DocumentsClient } from './documents/client.js'
import { Output } from './output.js'

export abstract class DocumentsCommand extends Command<Context> {
  url = Option.String('--url', {
    description: 'Address of the server. Default: STEWARD_URL, else the one that runs here.',
  })
  token = Option.String('--token', {
    description: 'API token. Default: STEWARD_API_TOKEN, else of the one that runs here.',
  })
  data = Option.String('--data', './steward-data', { description: 'Data folder of a server that runs here.' })
  tenant = Option.String('--tenant', 'default', { description: 'Tenant to work in. Default default.' })
  json = Option.Boolean('--json', false, { description: 'Print what the server answers, one JSON value a line.' })

  protected get output(): Output {
    return new Output(this.context, { isJson: this.json })
  }

  protected get documentsPath(): string {
    return `/v1/tenants/${encodeURIComponent(this.tenant)}/documents`
  }

  protected documentPath(id: string): string {
    return `${this.documentsPath}/${encodeURIComponent(id)}`
  }

  protected layerPath(id: string, layer = 'default'): string {
    return `/v1/docs/${encodeURIComponent(id)}/layers/${encodeURIComponent(layer)}`
  }

  protected async connect(): Promise<DocumentsClient> {
    const { findServer } = await import('./documents/server-address.js')
    const { DocumentsClient } = await import('./documents/client.js')
    const { url, token, data, context } = this
    return new DocumentsClient(await findServer({ url, token, data, env: context.env }))
  }
}
