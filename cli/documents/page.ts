// Finds the page a person counts (1, 2, 3 …) among the pages the server names (obj:3, obj:8 …).
import type { DocumentsClient } from './client.js'
import { documentsProblem } from './problems.js'

interface Manifest {
  readonly pages: readonly { readonly page: { readonly objectNumber: number } }[]
}

export async function pageKeyOf(client: DocumentsClient, layerPath: string, number: number): Promise<string> {
  const { pages } = await client.json<Manifest>(`${layerPath}/manifest`)
  const page = pages[number - 1]
  if (page) return `obj:${page.page.objectNumber}`
  throw documentsProblem('documents.no-page', {
    detail: `There is no page ${number}; the document has ${pages.length}.`,
  })
}
