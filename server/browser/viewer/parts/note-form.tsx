// The text of a note or comment while it is written. Escape closes it, and what could not be stored stays.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'

interface NoteFormProps {
  readonly style?: JSX.CSSProperties
  readonly contents?: string
  readonly onText: (contents: string) => Promise<unknown>
  readonly onClose: () => void
}

export function NoteForm({ style = {}, contents = '', onText, onClose }: NoteFormProps) {
  const [typed, setTyped] = useState(contents)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (event: Event) => {
    event.preventDefault()
    if (typed.trim() !== '') void onText(typed)
  }
  return (
    <form
      class="note-form"
      style={style}
      onSubmit={send}
      onPointerDown={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') onClose()
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
        <button type="button" class="small-button" onClick={onClose}>
          {text('cancel')}
        </button>
        <button type="submit" class="small-button" disabled={typed.trim() === ''}>
          {text('save')}
        </button>
      </span>
    </form>
  )
}
