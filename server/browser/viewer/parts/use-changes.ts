// Shows what others change, as it is changed.
import { refreshPages } from '@embedpdf/core'
import { useRegistry } from '@embedpdf/core/preact'
import { useEffect } from 'preact/hooks'
import type { ApiError } from '../../shared/api-error.js'
import { followChanges, type Others } from '../engine/follow-changes.js'
import type { OpenedDocument } from '../engine/opened-document.js'

export interface ChangeHandlers {
  /** Called when the document has other pages than before. */
  readonly onPages: () => void
  /** Called when other readers come or go. */
  readonly onOthers: (others: Others) => void
  /** Called when the reader may not see the document any more. */
  readonly onEnd: (error: ApiError) => void
}

export function useChanges(opened: OpenedDocument, documentId: string, handlers: ChangeHandlers): void {
  const { onPages, onOthers, onEnd } = handlers
  const { registry } = useRegistry()
  useEffect(() => {
    const onChange = async () => {
      const changed = await opened.refresh()
      if (changed === 'pages') onPages()
      else if (changed.length > 0) registry?.getStore().dispatchToCore(refreshPages(documentId, [...changed]))
    }
    return followChanges(opened, { onChange, onOthers, onEnd })
  }, [opened, registry, documentId, onPages, onOthers, onEnd])
}
