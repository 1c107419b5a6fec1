// Asks a visitor for the name that others see beside what they write.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'

interface GuestNameProps {
  /** Called once; undefined: no name. */
  readonly onName: (name: string | undefined) => void
}

export function GuestName({ onName }: GuestNameProps) {
  const [typed, setTyped] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const name = typed.trim()
  const send = (event: Event) => {
    event.preventDefault()
    if (name !== '') onName(name)
  }
  return (
    <dialog ref={dialog} aria-labelledby="name-title" onClose={() => onName(undefined)}>
      <h2 id="name-title">{text('yourName')}</h2>
      <p>{text('yourNameWhy')}</p>
      <form onSubmit={send}>
        <input
          type="text"
          autocomplete="name"
          value={typed}
          maxLength={100}
          aria-label={text('yourName')}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <span class="note-actions">
          <button type="button" class="small-button" onClick={() => onName(undefined)}>
            {text('withoutName')}
          </button>
          <button type="submit" class="main-button" disabled={name === ''}>
            {text('save')}
          </button>
        </span>
      </form>
    </dialog>
  )
}
