// A question or a form above the page. The browser keeps the focus inside, and Escape closes it.
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { text } from '../texts.js'
import { ProblemNotice } from './notice.js'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}

interface FormDialogProps extends DialogProps {
  /** Text of the button that does it. */
  readonly action: string
  readonly isBad?: boolean
  readonly isBusy: boolean
  readonly problem: unknown
  readonly onAction: () => void
}

/** A dialog with a button that does something, and one that does not. */
export function FormDialog({ action, isBad = false, isBusy, problem, onAction, ...rest }: FormDialogProps) {
  const send = (event: Event) => {
    event.preventDefault()
    onAction()
  }
  return (
    <Dialog {...rest}>
      <form class="form" onSubmit={send}>
        {rest.children}
        <ProblemNotice problem={problem} />
        <div class="dialog-actions">
          <button type="button" class="button" onClick={rest.onClose}>
            {text('cancel')}
          </button>
          <button type="submit" class={isBad ? 'button bad' : 'button main'} disabled={isBusy}>
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
