// The text of a note or comment while it is written. Ctrl+Enter saves it, Escape closes it, and what could not be stored
// stays.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'

interface NoteFormProps {
  readonly style?: JSX.CSSProperties
  readonly contents?: string
  readonly onText: (contents: string) => Promise<unknown>
  readonly onClose: () => void
  /** Called if the form is taken away while a text is being written. */
  readonly onLeave?: (contents: string) => void
}

export function NoteForm({ style = {}, contents = '', onText, onClose, onLeave }: NoteFormProps) {
  const [typed, setTyped] = useState(contents)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const isSending = useRef(false)
  const leave = useRef(() => {})
  leave.current = () => {
    if (typed.trim() !== '' && !isSending.current) onLeave?.(typed)
  }
  useEffect(() => () => leave.current(), [])
  const send = (event: Event) => {
    event.preventDefault()
    if (typed.trim() === '' || isSending.current) return
    isSending.current = true
    void onText(typed).finally(() => {
      isSending.current = false
    })
  }
  const close = () => {
    leave.current = () => {}
    onClose()
  }
  return (
    <form
      class="note-form"
      style={style}
      onSubmit={send}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') close()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event)
      }}
    >
      <textarea
        ref={field}
        rows={3}
        value={typed}
        aria-label={text('comment')}
        maxLength={10_000}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <span class="note-actions">
        <button type="button" class="small-button" onClick={close}>
          {text('cancel')}
        </button>
        <button type="submit" class="small-button" disabled={typed.trim() === ''}>
          {text('save')}
        </button>
      </span>
    </form>
  )
}
