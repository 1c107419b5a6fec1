// Base of the `documents` commands that work in a tenant.
import { Option } from 'clipanion'
import * as t from 'typanion'
import { ServerCommand } from './server-command.js'

export const defaultTenant = 'default'
export const defaultLayer = 'default'

/** Bytes that may be stored; 0 is unlimited. */
export const bytesMaxOption = t.cascade(t.isNumber(), [t.isInteger(), t.isAtLeast(0)])

export abstract class DocumentsCommand extends ServerCommand {
  tenant = Option.String('--tenant', defaultTenant, { description: `Tenant to work in. Default ${defaultTenant}.` })

  protected get documentsPath(): string {
    return `/v1/tenants/${encodeURIComponent(this.tenant)}/documents`
  }

  protected documentPath(id: string): string {
    return `${this.documentsPath}/${encodeURIComponent(id)}`
  }

  protected layerPath(id: string, layer = defaultLayer): string {
    return `/v1/docs/${encodeURIComponent(id)}/layers/${encodeURIComponent(layer)}`
  }
}
