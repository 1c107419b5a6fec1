// Annotations of a page.
import type { Annotation } from '../../../../workers/contract/annotations/annotation.js'
import type { AnnotationList } from '../../../../workers/contract/annotations/annotation-list.js'
import { versionedAddress } from './address.js'
import type { OpenedDocument } from './opened-document.js'

export interface PageAnnotations {
  /** Version at which they were read: it grows with every change of them. */
  readonly version: number
  readonly annotations: readonly Annotation[]
}

export const noAnnotations: PageAnnotations = { version: 0, annotations: [] }

/** Returns none for a reader who may not read them. */
export async function annotationsOf(
  opened: OpenedDocument,
  pageIndex: number,
  signal: AbortSignal,
): Promise<PageAnnotations> {
  if (!opened.may('doc.annotate.read')) return noAnnotations
  await opened.firstPicture.shown
  const page = opened.pageAt(pageIndex)
  const { annotationVersion } = opened.pinsOf(page)
  const path = versionedAddress(`annotations/pages/obj:${page.ref.objectNumber}/items`, { annotationVersion })
  const { annotations } = await opened.json<Pick<AnnotationList, 'annotations'>>(path, { signal })
  return { version: annotationVersion, annotations }
}
