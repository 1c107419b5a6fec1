// Removes a comment. What others wrote is removed after a question, which says how many answers go along.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Comment } from '../engine/comments.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { isOwn } from '../engine/rights.js'

interface RemovalQuestionProps {
  readonly comment: Pick<Comment, 'author' | 'contents'>
  /** Removed with it. */
  readonly answers: readonly unknown[]
  readonly onRemove: () => void
  readonly onClose: () => void
}

export function RemovalQuestion({ comment, answers, onRemove, onClose }: RemovalQuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const remove = (event: Event) => {
    event.preventDefault()
    onClose()
    onRemove()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="remove-title"
      onClose={onClose}
      // The page below the question gets nothing of it.
      onPointerDown={(event) => event.stopPropagation()}
    >
      <h2 id="remove-title">{text('removeOf', { name: comment.author ?? text('somebody') })}</h2>
      {comment.contents && <blockquote>{comment.contents.slice(0, 200)}</blockquote>}
      {answers.length > 0 && <p>{text('removesAnswers', { count: answers.length })}</p>}
      <form class="note-actions" onSubmit={remove}>
        <button type="button" class="small-button" onClick={onClose}>
          {text('cancel')}
        </button>
        <button type="submit" class="main-button">
          {text('remove')}
        </button>
      </form>
    </dialog>
  )
}

interface RemoveCommentProps {
  readonly opened: OpenedDocument
  readonly comment: Comment
  /** Removed with it. */
  readonly answers: readonly Comment[]
  readonly onRemove: () => void
}

export function RemoveComment({ opened, comment, answers, onRemove }: RemoveCommentProps) {
  const [isAsking, setAsking] = useState(false)
  const isOfReader = [comment, ...answers].every((one) => isOwn(opened, one))
  return (
    <>
      <button type="button" class="small-button" onClick={() => (isOfReader ? onRemove() : setAsking(true))}>
        {text('remove')}
      </button>
      {isAsking && (
        <RemovalQuestion comment={comment} answers={answers} onRemove={onRemove} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
