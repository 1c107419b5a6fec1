// Links on pages.
import type { LinkAnnotation } from '../../../../workers/contract/annotations/link.js'
import { versionedAddress } from './address.js'
import type { OpenedDocument } from './opened-document.js'

interface Annotations {
  readonly annotations: readonly { readonly subtype: string }[]
}

export async function linksOf(
  opened: OpenedDocument,
  pageIndex: number,
  signal: AbortSignal,
): Promise<readonly LinkAnnotation[]> {
  if (!opened.may('doc.annotate.read')) return []
  const page = opened.pageAt(pageIndex)
  const { annotationVersion } = opened.pinsOf(page)
  const path = versionedAddress(`annotations/pages/obj:${page.ref.objectNumber}/items`, { annotationVersion })
  const { annotations } = await opened.json<Annotations>(path, { signal })
  return annotations.filter((one) => one.subtype === 'link') as LinkAnnotation[]
}
