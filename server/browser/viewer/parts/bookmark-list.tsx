// The bookmarks of the document.
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import { useEffect, useState } from 'preact/hooks'
import type { Bookmark, Bookmarks } from '../../../../workers/contract/bookmarks.js'
import { isLinkAddress } from '../../../../workers/contract/link-address.js'
import { text } from '../../shared/texts.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { goTo } from './go-to.js'

interface BookmarkListProps {
  readonly opened: OpenedDocument
  readonly documentId: string
}

export function BookmarkList({ opened, documentId }: BookmarkListProps) {
  const [bookmarks, setBookmarks] = useState<readonly Bookmark[] | undefined>()
  useEffect(() => {
    opened.json<Bookmarks>('bookmarks').then(
      (answer) => setBookmarks(answer.bookmarks),
      () => setBookmarks([]),
    )
  }, [opened])
  if (bookmarks === undefined) return null
  if (bookmarks.length === 0) return <p class="empty">{text('noBookmarks')}</p>
  return <Branch bookmarks={bookmarks} opened={opened} documentId={documentId} />
}

function Branch({ bookmarks, ...rest }: BookmarkListProps & { readonly bookmarks: readonly Bookmark[] }) {
  return (
    <ul class="bookmarks">
      {bookmarks.map((bookmark, index) => (
        <li key={index}>
          {bookmark.children.length === 0 ? (
            <Entry bookmark={bookmark} {...rest} />
          ) : (
            <details open={bookmark.isOpen}>
              <summary>
                <Entry bookmark={bookmark} {...rest} />
              </summary>
              <Branch bookmarks={bookmark.children} {...rest} />
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}

function Entry({ bookmark, opened, documentId }: BookmarkListProps & { readonly bookmark: Bookmark }) {
  const { provides: scroll } = useScroll(documentId)
  const { target, title, isBold, isItalic } = bookmark
  const look = { fontWeight: isBold ? 'bold' : 'inherit', fontStyle: isItalic ? 'italic' : 'inherit' }
  if (target?.kind === 'goto') {
    const onClick = () => scroll && goTo(opened, scroll, target.destination)
    return (
      <button type="button" class="link" style={look} onClick={onClick}>
        {title}
      </button>
    )
  }
  const address = target?.kind === 'uri' && isLinkAddress(target.uri) ? target.uri : undefined
  if (address === undefined) return <span style={look}>{title}</span>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" style={look}>
      {title}
    </a>
  )
}
