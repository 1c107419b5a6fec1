// The open document with everything around it.

import { useCapability } from '@embedpdf/core/preact'
import { useScrollCapability } from '@embedpdf/plugin-scroll/preact'
import { SelectionPlugin } from '@embedpdf/plugin-selection'
import { useCallback, useEffect, useState } from 'preact/hooks'
import type { DocumentMetadata } from '../../../../workers/contract/document-metadata.js'
import type { ApiError } from '../../shared/api-error.js'
import type { Edits } from '../engine/edits.js'
import { nobody, type Others } from '../engine/follow-changes.js'
import type { Tool } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { type Problem, problemOf, Refusal } from './failure.js'
import { Pages } from './pages.js'
import { returnToPlace, usePlaces } from './places.js'
import { RemovedByOther } from './removed-by-other.js'
import { SearchBar } from './search-bar.js'
import { Sidebar } from './sidebar.js'
import { Toolbar } from './toolbar.js'
import { useChanges } from './use-changes.js'
import { useGentleWheel } from './use-gentle-wheel.js'

/** Width of a window in pixels from which there is room beside the pages. */
const sidebarFrom = 900

interface WorkspaceProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  /** Layers that the page can show. */
  readonly layers: readonly string[]
  readonly edits: Edits
  /** Called with the number of the page that is shown, when the document has other pages than before. */
  readonly onPages: (shown: number) => void
  readonly onEnd: (error: ApiError) => void
  /** Number of the page to show first. */
  readonly startPage: number
}

export function Workspace({ opened, documentId, layers, edits, onPages, onEnd, startPage }: WorkspaceProps) {
  const { provides: scroll } = useScrollCapability()
  const [name, setName] = useState(opened.name.docId)
  const pages = useGentleWheel()
  const onOtherPages = useCallback(
    () => onPages(scroll?.forDocument(documentId).getCurrentPage() ?? 1),
    [scroll, documentId, onPages],
  )
  useEffect(() => {
    const show = (title: string | null) => setName(title || opened.name.docId)
    opened.firstPicture.shown
      .then(() => opened.json<DocumentMetadata>('metadata'))
      .then(
        ({ title }) => show(title),
        () => show(null),
      )
  }, [opened])
  useEffect(() => {
    document.title = name
  }, [name])
  const [others, setOthers] = useState<Others>(nobody)
  const [removal, setRemoval] = useState<string | undefined>()
  useChanges(opened, documentId, { onPages: onOtherPages, onRemoval: setRemoval, onOthers: setOthers, onEnd })
  useEffect(
    () =>
      scroll?.onLayoutReady(({ isInitial }) => {
        const pageNumber = Math.min(startPage, opened.pages.length)
        if (!isInitial) return
        if (pageNumber > 1) scroll.forDocument(documentId).scrollToPage({ pageNumber, behavior: 'instant' })
        else requestAnimationFrame(returnToPlace)
      }),
    [scroll, opened, documentId, startPage],
  )

  usePlaces()
  const [hasSidebar, setSidebar] = useState(window.innerWidth >= sidebarFrom)
  const [problem, setProblem] = useState<Problem | undefined>()
  const onProblem = (error: unknown) => setProblem(problemOf(error))
  const [tool, setTool] = useState<Tool | undefined>()
  const [isSearching, setSearching] = useState(false)
  const { provides: selection } = useCapability<SelectionPlugin>(SelectionPlugin.id)

  const closeSearch = () => {
    setSearching(false)
    pages.current?.querySelector<HTMLElement>('.viewport')?.focus()
  }

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setTool(undefined)
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && event.key === 'f' && opened.may('doc.text.search')) {
        event.preventDefault()
        setSearching(true)
      }
      const isWriting = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
      if (isCommand && event.key === 'z' && !isWriting) {
        event.preventDefault()
        void (event.shiftKey ? edits.redo() : edits.undo()).catch(onProblem)
      }
      if (isCommand && event.key === 'c' && !hasSelection(event.target)) {
        selection?.forDocument(documentId).copyToClipboard()
      }
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [opened, selection, documentId, edits])

  return (
    <div class="workspace">
      <Toolbar
        opened={opened}
        documentId={documentId}
        hasSidebar={hasSidebar}
        onSidebar={() => setSidebar(!hasSidebar)}
        onSearch={() => setSearching(!isSearching)}
        layers={layers}
        others={others}
        edits={edits}
        tool={tool}
        onTool={setTool}
        onProblem={onProblem}
      />
      {problem && <Refusal problem={problem} onClose={() => setProblem(undefined)} />}
      {removal !== undefined && (
        <RemovedByOther
          onBack={() => edits.bringBack(removal).catch(onProblem)}
          onClose={() => setRemoval(undefined)}
        />
      )}
      {isSearching && <SearchBar documentId={documentId} onClose={closeSearch} />}
      <div class="content">
        {hasSidebar && <Sidebar opened={opened} documentId={documentId} edits={edits} onProblem={onProblem} />}
        <main class="pages" ref={pages}>
          <h1 class="for-readers">{name}</h1>
          <Pages
            opened={opened}
            documentId={documentId}
            edits={edits}
            tool={tool}
            onToolDone={() => setTool(undefined)}
            onProblem={onProblem}
          />
        </main>
      </div>
    </div>
  )
}

/** True where the browser copies: in a field with selected text, or text beside the pages. */
const hasSelection = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    ? target.selectionStart !== target.selectionEnd
    : document.getSelection()?.toString() !== ''
