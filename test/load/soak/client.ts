// A client of a soak, and the documents that all clients share.
import type { Client } from '../../server/support/client.js'
import { DocumentSession } from '../document-session.js'
import type { Draw } from '../draw.js'
import type { Tally } from './tally.js'

export interface SoakDocument {
  readonly tenant: string
  readonly docId: string
  readonly password?: string
}

export const tenants = ['soak-a', 'soak-b', 'soak-c'] as const

export class SoakClient {
  constructor(
    readonly api: Client,
    readonly draw: Draw,
    readonly tally: Tally,
    /** Shared by all clients, the oldest first. */
    private readonly documents: SoakDocument[],
  ) {}

  get tenant(): string {
    return this.draw.one(tenants)
  }

  get documentCount(): number {
    return this.documents.length
  }

  /** Another client may delete the document meanwhile. */
  anyDocument = (): SoakDocument | undefined =>
    this.documents.length === 0 ? undefined : this.draw.one(this.documents)

  add(document: SoakDocument): void {
    this.documents.push(document)
  }

  sessionOf({ docId, password }: SoakDocument): DocumentSession {
    const { api, draw, tally } = this
    return new DocumentSession({ api, docId, draw, judge: tally.answer, ...(password !== undefined && { password }) })
  }

  async deleteOldest(): Promise<void> {
    const document = this.documents.shift()
    if (document === undefined) return
    const path = `/v1/tenants/${document.tenant}/documents/${document.docId}`
    this.tally.answer('documents.delete', await this.api.delete(path))
  }

  async deleteTenant(tenant = this.tenant): Promise<void> {
    for (let index = this.documents.length - 1; index >= 0; index--)
      if (this.documents[index]?.tenant === tenant) this.documents.splice(index, 1)
    this.tally.answer('tenants.delete', await this.api.delete(`/v1/tenants/${tenant}`))
  }
}
