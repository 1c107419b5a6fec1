// Asks before a document is deleted, which nothing brings back.
import { useSession } from '../current.js'
import { FormDialog } from '../parts/dialog.js'
import { documentPath } from '../paths.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'
import { type DocumentRecord, nameOf } from './document.js'

interface DeleteDocumentProps {
  readonly document: DocumentRecord
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDocument({ document, onClose, onDeleted }: DeleteDocumentProps) {
  const { client } = useSession()
  const { isBusy, problem, run } = useWork()
  const remove = async () => {
    await client.send(documentPath(document.tenantId, document.id), { method: 'DELETE' })
    onDeleted()
  }
  return (
    <FormDialog
      title={text('deleteTitle')}
      action={text('deleteAction')}
      isBad
      isBusy={isBusy}
      problem={problem}
      onAction={() => void run(remove)}
      onClose={onClose}
    >
      <p>{text('deleteQuestion', { name: nameOf(document) })}</p>
    </FormDialog>
  )
}
