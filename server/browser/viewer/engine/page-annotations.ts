// Annotations of a page.
import type { Annotation } from '../../../../workers/contract/annotations/annotation.js'
import type { AnnotationList } from '../../../../workers/contract/annotations/annotation-list.js'
import { versionedAddress } from './address.js'
import type { OpenedDocument } from './opened-document.js'

/** Returns none for a reader who may not read them. */
export async function annotationsOf(
  opened: OpenedDocument,
  pageIndex: number,
  signal: AbortSignal,
): Promise<readonly Annotation[]> {
  if (!opened.may('doc.annotate.read')) return []
  await opened.firstPicture.shown
  const page = opened.pageAt(pageIndex)
  const { annotationVersion } = opened.pinsOf(page)
  const path = versionedAddress(`annotations/pages/obj:${page.ref.objectNumber}/items`, { annotationVersion })
  const { annotations } = await opened.json<Pick<AnnotationList, 'annotations'>>(path, { signal })
  return annotations
}
