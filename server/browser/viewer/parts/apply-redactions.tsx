// Removes what is marked for redaction, after a question: it cannot be undone.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Edits } from '../engine/edits.js'

interface ApplyRedactionsProps {
  readonly count: number
  readonly edits: Edits
  readonly onProblem: (error: unknown) => void
}

export function ApplyRedactions({ count, edits, onProblem }: ApplyRedactionsProps) {
  const [isAsking, setAsking] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isAsking) dialog.current?.showModal()
  }, [isAsking])
  const apply = (event: Event) => {
    event.preventDefault()
    setAsking(false)
    edits.applyRedactions().catch(onProblem)
  }
  return (
    <>
      <button type="button" class="main-button" onClick={() => setAsking(true)}>
        {text('applyRedactions', { count })}
      </button>
      {isAsking && (
        <dialog ref={dialog} aria-labelledby="redact-title" onClose={() => setAsking(false)}>
          <h2 id="redact-title">{text('applyRedactions', { count })}</h2>
          <p>{text('redactionIsFinal')}</p>
          <form class="note-actions" onSubmit={apply}>
            <button type="button" class="small-button" onClick={() => setAsking(false)}>
              {text('cancel')}
            </button>
            <button type="submit" class="main-button">
              {text('redactNow')}
            </button>
          </form>
        </dialog>
      )}
    </>
  )
}
