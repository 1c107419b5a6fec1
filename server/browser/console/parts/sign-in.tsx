// Asks for the token.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type TextName, text } from '../texts.js'
import { useWork } from '../use-work.js'
import { ProblemNotice } from './notice.js'

interface SignInProps {
  /** Why the reader was signed out. */
  readonly notice: TextName | undefined
  readonly onToken: (token: string) => Promise<void>
}

export function SignIn({ notice, onToken }: SignInProps) {
  const [token, setToken] = useState('')
  const { isBusy, problem, run } = useWork()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = text('console')
    field.current?.focus()
  }, [])
  const send = (event: Event) => {
    event.preventDefault()
    void run(() => onToken(token))
  }
  return (
    <main class="sign-in">
      <form class="card form" onSubmit={send}>
        <h1>{text('console')}</h1>
        <p class="faint">{text('signInWhy')}</p>
        {notice !== undefined && problem === undefined && <p class="notice">{text(notice)}</p>}
        <label class="field">
          <span>{text('token')}</span>
          <input
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            maxLength={8192}
            value={token}
            aria-invalid={problem !== undefined}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <ProblemNotice problem={problem} />
        <button type="submit" class="button main" disabled={isBusy}>
          {text('signIn')}
        </button>
        <p class="faint small">{text('signInMemory')}</p>
      </form>
    </main>
  )
}
