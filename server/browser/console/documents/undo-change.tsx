// Undoes a change of the audit log, after a question.
import { useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { AuditEntry } from '../../../schemas/document-history.js'
import { useSession } from '../current.js'
import { timeText } from '../format.js'
import { FormDialog } from '../parts/dialog.js'
import { documentPath } from '../paths.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'

interface UndoChangeProps {
  readonly tenantId: string
  readonly docId: string
  readonly entry: Static<typeof AuditEntry>
  readonly onUndone: () => void
}

export function UndoChange({ tenantId, docId, entry, onUndone }: UndoChangeProps) {
  const session = useSession()
  const { isBusy, problem, run } = useWork()
  const [isAsking, setAsking] = useState(false)
  if (!entry.undoable || !session.may('docs.undo')) return null
  const what = { name: entry.sub, time: timeText(entry.ts) }
  const undo = async () => {
    const path = `${documentPath(tenantId, docId)}/undo`
    await session.client.send(path, { method: 'POST', json: { auditId: entry.id } })
    setAsking(false)
    onUndone()
  }
  return (
    <div class="row-actions">
      <button type="button" class="button" aria-label={text('undoOf', what)} onClick={() => setAsking(true)}>
        {text('undo')}
      </button>
      {isAsking && (
        <FormDialog
          title={text('undoOf', what)}
          action={text('undo')}
          isBusy={isBusy}
          problem={problem}
          onAction={() => void run(undo)}
          onClose={() => setAsking(false)}
        >
          <p>{text('undoWhat')}</p>
        </FormDialog>
      )}
    </div>
  )
}
