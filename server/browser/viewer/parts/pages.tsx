// The pages of the document, below each other.
import { useDocumentState } from '@embedpdf/core/preact'
import type { PdfPageObject } from '@embedpdf/models'
import { GlobalPointerProvider, PagePointerProvider } from '@embedpdf/plugin-interaction-manager/preact'
import { RenderLayer } from '@embedpdf/plugin-render/preact'
import { Rotate } from '@embedpdf/plugin-rotate/preact'
import { Scroller } from '@embedpdf/plugin-scroll/preact'
import { SearchLayer } from '@embedpdf/plugin-search/preact'
import { SelectionLayer } from '@embedpdf/plugin-selection/preact'
import { TilingLayer } from '@embedpdf/plugin-tiling/preact'
import { Viewport } from '@embedpdf/plugin-viewport/preact'
import { ZoomGestureWrapper } from '@embedpdf/plugin-zoom/preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Edits } from '../engine/edits.js'
import type { FieldsByPage } from '../engine/form.js'
import type { Tool } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { widestPage } from '../engine/pictures.js'
import { DrawLayer } from './draw-layer.js'
import { FieldLayer } from './field-layer.js'
import { LinkLayer } from './link-layer.js'
import { PageText } from './page-text.js'
import { PlaceLayer } from './place-layer.js'
import { useFields } from './use-fields.js'
import { usePageAnnotations } from './use-page-annotations.js'

interface PagesProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly edits: Edits
  readonly tool: Tool | undefined
  readonly onToolDone: () => void
  readonly onProblem: (error: unknown) => void
}

export function Pages(props: PagesProps) {
  const { opened, documentId } = props
  const fields = useFields(opened)
  return (
    <GlobalPointerProvider documentId={documentId}>
      <Viewport documentId={documentId} class="viewport" tabIndex={0} role="region" aria-label={text('pages')}>
        <ZoomGestureWrapper documentId={documentId}>
          <Scroller
            documentId={documentId}
            renderPage={({ pageIndex }) => <PageView {...props} fields={fields} pageIndex={pageIndex} />}
          />
        </ZoomGestureWrapper>
      </Viewport>
    </GlobalPointerProvider>
  )
}

interface PageViewProps extends PagesProps {
  readonly pageIndex: number
  readonly fields: FieldsByPage
}

function PageView(props: PageViewProps) {
  const { documentId, pageIndex } = props
  const state = useDocumentState(documentId)
  const page = state?.document?.pages[pageIndex]
  if (state === null || page === undefined) return null
  const version = state.pageRefreshVersions[pageIndex] ?? 0
  const quarters = page.rotation + state.rotation
  return <PageParts {...props} page={page} version={version} scale={state.scale} quarters={quarters} />
}

interface PagePartsProps extends PageViewProps {
  readonly page: PdfPageObject
  /** Changes with every change of the page. */
  readonly version: number
  readonly scale: number
  /** Quarters by which the page is turned on the screen. */
  readonly quarters: number
}

function PageParts(props: PagePartsProps) {
  const { opened, documentId, edits, onProblem, pageIndex, fields, tool, onToolDone, page, version, scale, quarters } =
    props
  const read = usePageAnnotations(opened, pageIndex, version)
  const pixels = scale * opened.pageAt(pageIndex).userUnit
  const width = page.size.width * scale * window.devicePixelRatio
  return (
    <Rotate documentId={documentId} pageIndex={pageIndex}>
      <PagePointerProvider documentId={documentId} pageIndex={pageIndex} class="page" data-page={pageIndex + 1}>
        <RenderLayer documentId={documentId} pageIndex={pageIndex} draggable={false} {...pictureText(pageIndex)} />
        <PageFailure opened={opened} pageIndex={pageIndex} />
        <PageText opened={opened} pageIndex={pageIndex} version={version} />
        {width > widestPage && <TilingLayer documentId={documentId} pageIndex={pageIndex} />}
        <SearchLayer
          documentId={documentId}
          pageIndex={pageIndex}
          highlightColor="#ffd40080"
          activeHighlightColor="#ff8a00b0"
        />
        <SelectionLayer documentId={documentId} pageIndex={pageIndex} textStyle={{ background: '#3b82f650' }} />
        <LinkLayer opened={opened} documentId={documentId} annotations={read.annotations} pixels={pixels} />
        <PlaceLayer
          opened={opened}
          pageIndex={pageIndex}
          read={read}
          edits={edits}
          pixels={pixels}
          quarters={quarters}
          onProblem={onProblem}
        />
        <FieldLayer fields={fields.get(page.objectNumber) ?? []} edits={edits} pixels={pixels} onProblem={onProblem} />
        {tool !== undefined && (
          <DrawLayer
            opened={opened}
            pageIndex={pageIndex}
            tool={tool}
            edits={edits}
            pixels={pixels}
            onProblem={onProblem}
            onDone={onToolDone}
          />
        )}
      </PagePointerProvider>
    </Rotate>
  )
}

/** Says why the page has no picture. */
function PageFailure({ opened, pageIndex }: { readonly opened: OpenedDocument; readonly pageIndex: number }) {
  const { failedPages } = opened
  const [reason, setReason] = useState(failedPages.reasonOf(pageIndex))
  useEffect(() => failedPages.onChange(() => setReason(failedPages.reasonOf(pageIndex))), [failedPages, pageIndex])
  return reason === undefined ? null : <p class="page-failure">{text('pageFailed', { message: reason })}</p>
}

/** The types of the layer lack what its picture takes. */
const pictureText = (pageIndex: number) => ({ alt: text('page', { number: pageIndex + 1 }) })
