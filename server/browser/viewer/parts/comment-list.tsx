// The comments of the document, with replies.
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import { useState } from 'preact/hooks'
import { language, text } from '../../shared/texts.js'
import { type Comment, kindOf, repliesTo, type Thread, threadsOf } from '../engine/comments.js'
import type { Edits } from '../engine/edits.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { mayOn } from '../engine/rights.js'
import { ApplyRedactions } from './apply-redactions.js'
import { NoteForm } from './note-form.js'
import { jump } from './places.js'
import { RemoveComment } from './remove-comment.js'
import { useRefreshed } from './use-refreshed.js'

interface CommentListProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly edits: Edits
  /** Called with what could not be done. */
  readonly onProblem: (error: unknown) => void
}

export function CommentList(props: CommentListProps) {
  const { opened } = props
  const threads = useRefreshed(opened, threadsOf)
  if (threads === undefined) return null
  if (threads.length === 0) return <p class="empty">{text('noComments')}</p>
  const marks = threads.filter(({ comment }) => comment.subtype === 'redact')
  const mayRedact = ['doc.redact', 'doc.pages.modify', 'doc.annotate.modify'].every((one) => opened.may(one))
  return (
    <>
      {mayRedact && marks.length > 0 && (
        <ApplyRedactions count={marks.length} edits={props.edits} onProblem={props.onProblem} />
      )}
      <ol class="comments">
        {threads.map((thread) => (
          <ThreadEntry key={thread.key} thread={thread} {...props} />
        ))}
      </ol>
    </>
  )
}

function ThreadEntry({ thread, opened, documentId, edits, onProblem }: CommentListProps & { readonly thread: Thread }) {
  const { provides: scroll } = useScroll(documentId)
  const { comment, replies } = thread
  const index = opened.indexOf(comment.page.objectNumber)
  const mayReply = mayOn(opened, 'create')
  const goThere = () => {
    if (index === undefined) return
    const { userUnit } = opened.pageAt(index)
    const pageCoordinates = { x: comment.rect.x * userUnit, y: comment.rect.y * userUnit }
    jump(() => scroll?.scrollToPage({ pageNumber: index + 1, pageCoordinates, alignY: 30, behavior: 'instant' }))
  }
  const remove = (one: Comment) => edits.apply([{ type: 'annotations.delete', ref: one.ref }]).catch(onProblem)
  const reply = (contents: string) => {
    const { rect, ref } = comment
    const data = {
      subtype: 'text',
      rect: { x: rect.x, y: rect.y, width: 20, height: 20 },
      contents,
      // Other programs list replies too, and draw none of them on the page.
      hidden: true,
      reply: { to: ref, type: 'reply' },
    }
    return edits.apply([{ type: 'annotations.create', page: comment.page, data }]).then(
      () => true,
      (error: unknown) => {
        onProblem(error)
        return false
      },
    )
  }
  return (
    <li>
      <button type="button" class="comment-place" onClick={goThere}>
        {text('page', { number: (index ?? 0) + 1 })}
      </button>
      {[comment, ...replies].map((one) => (
        <article key={JSON.stringify(one.ref)} class={one === comment ? 'comment' : 'comment reply'}>
          <header>
            <strong>{one.author ?? text('somebody')}</strong> <Time at={one.modifiedAt ?? one.createdAt} />
            {one === comment && <span class="comment-kind">{text(kindOf(one.subtype))}</span>}
          </header>
          <CommentText comment={one} opened={opened} edits={edits} onProblem={onProblem} />
          {mayOn(opened, 'delete', one) && (
            <RemoveComment
              opened={opened}
              comment={one}
              answers={repliesTo(one, replies)}
              onRemove={() => void remove(one)}
            />
          )}
        </article>
      ))}
      {mayReply && <ReplyForm onReply={reply} />}
    </li>
  )
}

interface CommentTextProps extends Pick<CommentListProps, 'opened' | 'edits' | 'onProblem'> {
  readonly comment: Comment
}

/** The text of a comment, which can be changed by whoever may. */
function CommentText({ comment, opened, edits, onProblem }: CommentTextProps) {
  const [isEditing, setEditing] = useState(false)
  const { ref, contents } = comment
  const change = (typed: string) =>
    edits
      .apply([{ type: 'annotations.update', ref, patch: { contents: typed } }])
      .then(() => setEditing(false), onProblem)
  if (isEditing) return <NoteForm contents={contents ?? ''} onText={change} onClose={() => setEditing(false)} />
  return (
    <>
      {contents && <p>{contents}</p>}
      {mayOn(opened, 'update', comment) && (
        <button type="button" class="small-button" onClick={() => setEditing(true)}>
          {text(contents ? 'edit' : 'addText')}
        </button>
      )}
    </>
  )
}

function Time({ at }: { readonly at: string | null }) {
  if (at === null) return null
  const shown = new Date(at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
  return <time dateTime={at}>{shown}</time>
}

function ReplyForm({ onReply }: { readonly onReply: (contents: string) => Promise<boolean> }) {
  const [contents, setContents] = useState('')
  const send = async (event: Event) => {
    event.preventDefault()
    if (contents.trim() === '') return
    // A reply that was not stored stays, to be sent again.
    if (await onReply(contents)) setContents('')
  }
  return (
    <form class="reply-form" onSubmit={(event) => void send(event)}>
      <textarea
        rows={1}
        value={contents}
        placeholder={text('reply')}
        aria-label={text('reply')}
        maxLength={10_000}
        onInput={({ currentTarget }) => setContents(currentTarget.value)}
      />
      <button type="submit" class="small-button" disabled={contents.trim() === ''}>
        {text('send')}
      </button>
    </form>
  )
}
