// Shows what others change, as it is changed.
import { refreshPages } from '@embedpdf/core'
import { useRegistry } from '@embedpdf/core/preact'
import { useEffect } from 'preact/hooks'
import type { ApiError } from '../../shared/api-error.js'
import { followChanges } from '../engine/follow-changes.js'
import type { OpenedDocument } from '../engine/opened-document.js'

export interface ChangeHandlers {
  /** Called when the document has other pages than before. */
  readonly onPages: () => void
  /** Called when the reader may not see the document any more. */
  readonly onEnd: (error: ApiError) => void
}

export function useChanges(opened: OpenedDocument, documentId: string, { onPages, onEnd }: ChangeHandlers): void {
  const { registry } = useRegistry()
  useEffect(() => {
    const onChange = async () => {
      const changed = await opened.refresh()
      if (changed === 'pages') onPages()
      else if (changed.length > 0) registry?.getStore().dispatchToCore(refreshPages(documentId, [...changed]))
    }
    return followChanges(opened, { onChange, onEnd })
  }, [opened, registry, documentId, onPages, onEnd])
}
