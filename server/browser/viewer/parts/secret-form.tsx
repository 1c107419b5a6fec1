// Asks for a password or a passphrase.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type TextName, text } from '../../shared/texts.js'

interface SecretFormProps {
  readonly title: TextName
  readonly label: TextName
  /** Why the last one was refused. */
  readonly problem: TextName | undefined
  readonly onSecret: (secret: string) => void
}

export function SecretForm({ title, label, problem, onSecret }: SecretFormProps) {
  const [secret, setSecret] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (event: Event) => {
    event.preventDefault()
    onSecret(secret)
  }
  return (
    <main class="message">
      <form onSubmit={send}>
        <h1>{text(title)}</h1>
        <label>
          {text(label)}
          <input
            ref={field}
            type="password"
            autocomplete="off"
            value={secret}
            maxLength={1024}
            aria-invalid={problem !== undefined}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </label>
        {problem && <p role="alert">{text(problem)}</p>}
        <button type="submit" class="main-button">
          {text('open')}
        </button>
      </form>
    </main>
  )
}
