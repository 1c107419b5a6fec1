// The bar above the pages.
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import { ZoomMode } from '@embedpdf/plugin-zoom'
import { useZoom } from '@embedpdf/plugin-zoom/preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { Edits } from '../engine/edits.js'
import type { Others } from '../engine/follow-changes.js'
import type { Tool } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { mayOn } from '../engine/rights.js'
import { Button } from './button.js'
import { Download } from './download.js'
import { EditButtons } from './edit-buttons.js'
import { LayerChoice } from './layer-choice.js'
import { People } from './people.js'
import { Print } from './print.js'
import { useShownPage } from './use-shown-page.js'

interface ToolbarProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly hasSidebar: boolean
  readonly onSidebar: () => void
  readonly onSearch: () => void
  /** Layers that the page can show. */
  readonly layers: readonly string[]
  /** The other readers. */
  readonly others: Others
  readonly edits: Edits
  readonly tool: Tool | undefined
  readonly onTool: (tool: Tool | undefined) => void
  readonly onProblem: (error: unknown) => void
}

export function Toolbar(props: ToolbarProps) {
  const { opened, documentId, hasSidebar, onSidebar, onSearch, layers, others } = props
  return (
    <header class="toolbar">
      <Button name="showSidebar" icon="sidebar" onClick={onSidebar} isPressed={hasSidebar} />
      <PageNumber documentId={documentId} />
      <Zoom documentId={documentId} />
      <LayerChoice layer={opened.name.layer} layers={layers} />
      <span class="space" />
      <People others={others} />
      {mayOn(opened, 'create') && <EditButtons {...props} />}
      {opened.may('doc.text.search') && <Button name="search" icon="search" onClick={onSearch} />}
      {opened.may('doc.print') && <Print {...props} />}
      {opened.may('doc.download') && <Download {...props} />}
    </header>
  )
}

function PageNumber({ documentId }: { readonly documentId: string }) {
  const { provides: scroll, state } = useScroll(documentId)
  const shown = useShownPage(documentId)
  const [typed, setTyped] = useState(String(shown))
  useEffect(() => setTyped(String(shown)), [shown])
  const go = (event: Event) => {
    event.preventDefault()
    const number = Number(typed)
    const isPage = Number.isInteger(number) && number >= 1 && number <= state.totalPages
    if (isPage) scroll?.scrollToPage({ pageNumber: number, behavior: 'instant' })
    else setTyped(String(shown))
  }
  return (
    <form class="page-number" onSubmit={go}>
      <input
        inputMode="numeric"
        size={Math.max(2, String(state.totalPages).length)}
        value={typed}
        aria-label={text('pageOf', { count: state.totalPages })}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onBlur={go}
      />
      <span aria-hidden="true">/ {state.totalPages}</span>
    </form>
  )
}

const steps = [0.5, 0.75, 1, 1.25, 1.5, 2, 4]

function Zoom({ documentId }: { readonly documentId: string }) {
  const { provides: zoom, state } = useZoom(documentId)
  const percent = `${Math.round(state.currentZoomLevel * 100)} %`
  const { zoomLevel } = state
  const chosen = zoomLevel === ZoomMode.FitWidth || zoomLevel === ZoomMode.FitPage ? zoomLevel : 'now'
  const choose = (value: string) => {
    if (value === ZoomMode.FitWidth || value === ZoomMode.FitPage) zoom?.requestZoom(value)
    else if (value !== 'now') zoom?.requestZoom(Number(value))
  }
  return (
    <span class="zoom">
      <Button name="zoomOut" icon="minus" onClick={() => zoom?.zoomOut()} />
      <select aria-label={text('zoom')} value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="now">{percent}</option>
        <option value={ZoomMode.FitWidth}>{text('fitWidth')}</option>
        <option value={ZoomMode.FitPage}>{text('fitPage')}</option>
        {steps.map((step) => (
          <option key={step} value={step}>
            {step * 100} %
          </option>
        ))}
      </select>
      <Button name="zoomIn" icon="plus" onClick={() => zoom?.zoomIn()} />
    </span>
  )
}
