// Pages or bookmarks beside the document.
import { useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Edits } from '../engine/edits.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { BookmarkList } from './bookmark-list.js'
import { CommentList } from './comment-list.js'
import { ThumbnailList } from './thumbnail-list.js'

const tabs = ['pages', 'bookmarks', 'comments'] as const

interface SidebarProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly edits: Edits
  readonly onProblem: (error: unknown) => void
}

export function Sidebar(props: SidebarProps) {
  const { opened, documentId } = props
  const [shown, setShown] = useState<(typeof tabs)[number]>('pages')
  return (
    <aside class="sidebar">
      <div class="tabs" role="tablist">
        {tabs
          .filter((tab) => tab !== 'comments' || opened.may('doc.annotate.read'))
          .map((tab) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`tab-${tab}`}
              aria-selected={shown === tab}
              aria-controls="panel"
              onClick={() => setShown(tab)}
            >
              {text(tab)}
            </button>
          ))}
      </div>
      <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        {shown === 'pages' && <ThumbnailList documentId={documentId} />}
        {shown === 'bookmarks' && <BookmarkList opened={opened} documentId={documentId} />}
        {shown === 'comments' && <CommentList {...props} />}
      </div>
    </aside>
  )
}
