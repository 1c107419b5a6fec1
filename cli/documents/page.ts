// Translates page numbers (1, 2, 3 …) into page keys of the server (obj:3, obj:8 …).
import type { DocumentsClient } from './client.js'
import { documentsProblem } from './problems.js'

export interface Page {
  readonly key: string
  /** Rotation of the page itself, clockwise, in degrees. */
  readonly rotation: number
}

interface Layout {
  readonly pages: readonly { readonly ref: { readonly objectNumber: number }; readonly rotation: number }[]
}

export async function pagesOf(client: DocumentsClient, layerPath: string): Promise<readonly Page[]> {
  const { pages } = await client.json<Layout>(`${layerPath}/layout`)
  return pages.map(({ ref, rotation }) => ({ key: `obj:${ref.objectNumber}`, rotation }))
}

export async function pageOf(client: DocumentsClient, layerPath: string, number: number): Promise<Page> {
  const pages = await pagesOf(client, layerPath)
  const page = pages[number - 1]
  if (page !== undefined) return page
  throw documentsProblem('documents.no-page', {
    detail: `There is no page ${number}; the document has ${pages.length}.`,
  })
}
