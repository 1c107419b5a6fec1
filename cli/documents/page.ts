// Finds the page a person counts (1, 2, 3 …) among the pages the server names (obj:3, obj:8 …).
import type { DocumentsClient } from './client.js'
import { documentsProblem } from './problems.js'

interface Manifest {
  readonly pages: readonly { readonly page: { readonly objectNumber: number } }[]
}

export async function pageKeysOf(client: DocumentsClient, layerPath: string): Promise<readonly string[]> {
  const { pages } = await client.json<Manifest>(`${layerPath}/manifest`)
  return pages.map(({ page }) => `obj:${page.objectNumber}`)
}

export async function pageKeyOf(client: DocumentsClient, layerPath: string, number: number): Promise<string> {
  const keys = await pageKeysOf(client, layerPath)
  const key = keys[number - 1]
  if (key !== undefined) return key
  throw documentsProblem('documents.no-page', {
    detail: `There is no page ${number}; the document has ${keys.length}.`,
  })
}
