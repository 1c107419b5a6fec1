// A document in the list.
import { useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { sizeText, timeText } from '../format.js'
import { IconButton } from '../parts/icon-button.js'
import { addressOf } from '../place.js'
import { text } from '../texts.js'
import { DeleteDocument } from './delete-document.js'
import { type DocumentRecord, nameOf } from './document.js'
import { failureText } from './failure-text.js'
import { OpenButton } from './open-button.js'
import { StateChip } from './state-chip.js'
import { Thumbnail } from './thumbnail.js'

interface DocumentRowProps {
  readonly document: DocumentRecord
  readonly canOpen: boolean
  readonly onDeleted: () => void
}

export function DocumentRow({ document, canOpen, onDeleted }: DocumentRowProps) {
  const session = useSession()
  const [isDeleting, setDeleting] = useState(false)
  const { id, tenantId, state, failureReason, storageSizeBytes, createdAt } = document
  const name = nameOf(document)
  return (
    <li class="row">
      <Thumbnail document={document} />
      <div class="row-main">
        <a class="row-title" href={addressOf({ kind: 'document', tenantId, docId: id, tab: 'facts' })}>
          {name}
        </a>
        <span class="row-note">
          <StateChip state={state} />
          {state === 'failed' && <span class="reason">{failureText(failureReason)}</span>}
          {storageSizeBytes !== null && <span>{sizeText(storageSizeBytes)}</span>}
          <time dateTime={new Date(createdAt).toISOString()}>{timeText(createdAt)}</time>
        </span>
      </div>
      <div class="row-actions">
        {canOpen && state === 'ready' && <OpenButton name={name} tenantId={tenantId} docId={id} layerName="default" />}
        {session.may('docs.delete') && (
          <IconButton icon="remove" label={text('deleteOf', { name })} onClick={() => setDeleting(true)} />
        )}
      </div>
      {isDeleting && (
        <DeleteDocument
          document={document}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false)
            onDeleted()
          }}
        />
      )}
    </li>
  )
}
