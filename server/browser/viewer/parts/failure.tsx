// Says why the document is not shown, and what to do.
import type { ComponentChildren } from 'preact'
import { ApiError } from '../../shared/api-error.js'
import { type TextName, text } from '../../shared/texts.js'
import { Button } from './button.js'

export interface Problem {
  /** Code of the server, or of the page. */
  readonly code: string
  readonly message: string
}

export function problemOf(error: unknown): Problem {
  return error instanceof ApiError ? error : { code: 'Unknown', message: String(error) }
}

interface FailureProps {
  /** Other things that the reader may open. */
  readonly children?: ComponentChildren
  readonly problem: Problem
  readonly onAgain: () => void
}

export function Failure({ problem, onAgain, children }: FailureProps) {
  const { code, message } = problem
  return (
    <main class="message">
      <h1>{text('failedTitle')}</h1>
      <p role="alert">{text(reasons[code] ?? 'failed', { message })}</p>
      {!final.has(code) && (
        <button type="button" class="main-button" onClick={onAgain}>
          {text('again')}
        </button>
      )}
      {children}
    </main>
  )
}

/** Says what could not be done, beside the document. */
export function Refusal({ problem, onClose }: { readonly problem: Problem; readonly onClose: () => void }) {
  const { code, message } = problem
  return (
    <p class="refusal" role="alert">
      {text(code === 'Forbidden' ? 'mayNotChange' : (reasons[code] ?? 'failed'), { message })}
      <Button name="close" icon="close" onClick={onClose} />
    </p>
  )
}

const reasons: Readonly<Record<string, TextName>> = {
  TokenMissing: 'linkIncomplete',
  NotFound: 'linkGone',
  ShareExpired: 'linkExpired',
  Unauthenticated: 'sessionEnded',
  Forbidden: 'notAllowed',
  OriginNotAllowed: 'notAllowed',
  OriginRequired: 'notAllowed',
  TooManyRequests: 'tooManyTries',
  Offline: 'offline',
  DocNotOpen: 'notReady',
  ChangedThingGone: 'thingGone',
  ChangeConflict: 'changedMeanwhile',
}

/** Problems that another attempt does not solve. */
const final: ReadonlySet<string> = new Set(['TokenMissing', 'NotFound', 'ShareExpired', 'OriginNotAllowed'])
