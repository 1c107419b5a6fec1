// Small pictures of all pages.
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import type { ThumbMeta } from '@embedpdf/plugin-thumbnail'
import { ThumbImg, ThumbnailsPane } from '@embedpdf/plugin-thumbnail/preact'
import { text } from '../../shared/texts.js'

export function ThumbnailList({ documentId }: { readonly documentId: string }) {
  const { provides: scroll, state } = useScroll(documentId)
  return (
    <ThumbnailsPane documentId={documentId} class="thumbnails">
      {(thumb: ThumbMeta) => {
        const number = thumb.pageIndex + 1
        return (
          <button
            type="button"
            key={thumb.pageIndex}
            class="thumbnail"
            style={{ top: `${thumb.top}px`, height: `${thumb.wrapperHeight}px` }}
            aria-label={text('page', { number })}
            aria-current={state.currentPage === number ? 'page' : undefined}
            onClick={() => scroll?.scrollToPage({ pageNumber: number, behavior: 'instant' })}
          >
            <span class="thumbnail-picture" style={{ width: `${thumb.width}px`, height: `${thumb.height}px` }}>
              <ThumbImg documentId={documentId} meta={thumb} {...noText} />
            </span>
            <span class="thumbnail-number">{number}</span>
          </button>
        )
      }}
    </ThumbnailsPane>
  )
}

/** The button has the text. */
const noText = { alt: '' }
