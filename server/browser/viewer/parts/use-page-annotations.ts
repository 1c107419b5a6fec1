// The annotations of a page that is shown, read again when it changes.
import { useEffect, useState } from 'preact/hooks'
import type { OpenedDocument } from '../engine/opened-document.js'
import { annotationsOf, noAnnotations, type PageAnnotations } from '../engine/page-annotations.js'

/** `version` changes with every change of the page. */
export function usePageAnnotations(opened: OpenedDocument, pageIndex: number, version: number): PageAnnotations {
  const [annotations, setAnnotations] = useState(noAnnotations)
  useEffect(() => {
    const controller = new AbortController()
    // A page without links is better than none.
    annotationsOf(opened, pageIndex, controller.signal).then(setAnnotations, () => {})
    return () => controller.abort()
  }, [opened, pageIndex, version])
  return annotations
}
