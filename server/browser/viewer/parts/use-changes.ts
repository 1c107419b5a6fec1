// Shows what others change, as it is changed.
import { refreshPages } from '@embedpdf/core'
import { useRegistry } from '@embedpdf/core/preact'
import { useEffect } from 'preact/hooks'
import type { AuditEvent } from '../../../schemas/events.js'
import type { ApiError } from '../../shared/api-error.js'
import { followChanges, type Others } from '../engine/follow-changes.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { OwnComments } from '../engine/own-comments.js'

export interface ChangeHandlers {
  /** Called when the document has other pages than before. */
  readonly onPages: () => void
  /** Called with the name of a change by which somebody else removed a comment of the reader. */
  readonly onRemoval: (opId: string) => void
  /** Called when other readers come or go. */
  readonly onOthers: (others: Others) => void
  /** Called when the reader may not see the document any more. */
  readonly onEnd: (error: ApiError) => void
}

export function useChanges(opened: OpenedDocument, documentId: string, handlers: ChangeHandlers): void {
  const { onPages, onRemoval, onOthers, onEnd } = handlers
  const { registry } = useRegistry()
  useEffect(() => {
    const onChange = async () => {
      const changed = await opened.refresh()
      if (changed === 'pages') onPages()
      else if (changed.length > 0) registry?.getStore().dispatchToCore(refreshPages(documentId, [...changed]))
    }
    const own = new OwnComments(opened)
    void own.read()
    const onEvent = (event: AuditEvent) => {
      const removal = own.removalIn(event)
      if (removal !== undefined) onRemoval(removal)
    }
    return followChanges(opened, { onChange, onEvent, onOthers, onEnd })
  }, [opened, registry, documentId, onPages, onRemoval, onOthers, onEnd])
}
