// Pages of a version and the annotations that its file stores inline, as recorded at ingest. They never change.
import type { VersionPages } from '../caches/caches.js'
import type { Deployment } from '../operation/deployment.js'
import type { Owner } from '../storage/large-values.js'
import type { PageFacts } from '../storage/page-facts.js'

/** Returns undefined for a locked document, whose content was not recorded. */
export async function versionPagesOf(
  { tables, pageFacts, caches }: Pick<Deployment, 'tables' | 'pageFacts' | 'caches'>,
  { owner, version }: { readonly owner: Owner; readonly version: number },
): Promise<VersionPages | undefined> {
  const key = [owner.tenant, owner.document, version] as const
  const cached = caches.versionPages.get(key)
  if (cached !== undefined) return cached
  const row = await tables.pageFacts.get(key)
  return row && caches.versionPages.compute(key, async () => summary(await pageFacts.load(owner, row)))
}

const summary = ({ pages }: PageFacts): VersionPages => ({
  numbers: pages.map(({ objectNumber }) => objectNumber),
  inlineAnnotations: pages.flatMap(({ objectNumber: page, inlineAnnotations }) =>
    inlineAnnotations.map(({ baseIndex, objectNumber }) => ({ page, baseIndex, objectNumber })),
  ),
})
