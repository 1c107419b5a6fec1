// The panel beside the document: pages, bookmarks, comments, signatures and files.
import { useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Edits } from '../engine/edits.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { BookmarkList } from './bookmark-list.js'
import { CommentList } from './comment-list.js'
import { DetailList } from './detail-list.js'
import { ThumbnailList } from './thumbnail-list.js'

const tabs = ['pages', 'bookmarks', 'comments', 'details'] as const
type Tab = (typeof tabs)[number]

interface SidebarProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly edits: Edits
  readonly onProblem: (error: unknown) => void
}

export function Sidebar(props: SidebarProps) {
  const { opened, documentId } = props
  const [shown, setShown] = useState<Tab>('pages')
  const offered = tabs.filter((tab) => tab !== 'comments' || opened.may('doc.annotate.read'))
  const walk = (event: KeyboardEvent, from: Tab) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = offered.at((offered.indexOf(from) + step) % offered.length) ?? from
    setShown(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <aside class="sidebar">
      <div class="tabs" role="tablist">
        {offered.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`tab-${tab}`}
            aria-selected={shown === tab}
            aria-controls="panel"
            tabIndex={shown === tab ? 0 : -1}
            onClick={() => setShown(tab)}
            onKeyDown={(event) => walk(event, tab)}
          >
            {text(tab)}
          </button>
        ))}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        {shown === 'pages' && <ThumbnailList documentId={documentId} />}
        {shown === 'bookmarks' && <BookmarkList opened={opened} documentId={documentId} />}
        {shown === 'comments' && <CommentList {...props} />}
        {shown === 'details' && <DetailList {...props} />}
      </div>
    </aside>
  )
}
