// Exports and imports of XFDF over HTTP, and short files of it.
import { layerPath } from '../../changes/support/changing.js'
import type { Client } from '../../support/client.js'
import { done } from '../../support/running-server.js'

export const xfdfType = 'application/vnd.adobe.xfdf'

export interface Listed extends Readonly<Record<string, unknown>> {
  readonly subtype: string
}

export const exchangeWith = (api: Client) => ({
  importInto: (docId: string, xfdf: string | Uint8Array, { client = api, query = '', key = '' } = {}) =>
    client.send(`${layerPath({ docId })}/annotations/import${query}`, {
      method: 'POST',
      body: xfdf,
      headers: { 'content-type': xfdfType, ...(key !== '' && { 'idempotency-key': key }) },
    }),

  exported: async (docId: string, query = ''): Promise<string> =>
    (await api.get(`${layerPath({ docId })}/annotations/export${query}`).then(done)).text,

  async listed(docId: string, client: Client = api): Promise<readonly Listed[]> {
    const list = (await client.get(`${layerPath({ docId })}/annotations/items`).then(done)).at('/annotations')
    if (!Array.isArray(list)) throw new Error('There is no list')
    return list
  },
})

export const xfdf = (annots: string, fields = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<xfdf xmlns="http://ns.adobe.com/xfdf/"><annots>${annots}</annots>${fields}</xfdf>`
