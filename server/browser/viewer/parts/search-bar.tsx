// Search in the document: results are marked on the pages, and walked through one by one.
import { MatchFlag, type Rect } from '@embedpdf/models'
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import { useSearch } from '@embedpdf/plugin-search/preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import { Button } from './button.js'

/** Time after the last key before a search starts. */
const typingPauseMs = 250

interface SearchBarProps {
  readonly documentId: string
  readonly onClose: () => void
}

export function SearchBar({ documentId, onClose }: SearchBarProps) {
  const { state, provides: search } = useSearch(documentId)
  const { provides: scroll } = useScroll(documentId)
  const [wanted, setWanted] = useState('')
  const [hasFailed, setFailed] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  // At once: people type on.
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    search?.startSearch()
    return () => search?.stopSearch()
  }, [search])

  useEffect(() => {
    if (search === null) return
    const timer = setTimeout(() => {
      setFailed(false)
      search.searchAllPages(wanted).wait(
        () => {},
        ({ type }) => setFailed(type === 'reject'),
      )
    }, typingPauseMs)
    return () => clearTimeout(timer)
  }, [search, wanted])

  const active = state.results[state.activeResultIndex]
  useEffect(() => {
    if (active === undefined || scroll === null) return
    const at = topOf(active.rects)
    scroll.scrollToPage({
      pageNumber: active.pageIndex + 1,
      ...(at && { pageCoordinates: at, alignX: 50, alignY: 30 }),
      behavior: 'instant',
    })
  }, [active, scroll])

  const toggle = (flag: MatchFlag) => () =>
    search?.setFlags(state.flags.includes(flag) ? state.flags.filter((one) => one !== flag) : [...state.flags, flag])
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (event.shiftKey) search?.previousResult()
    else search?.nextResult()
  }

  return (
    <search class="search-bar">
      <input
        ref={field}
        type="search"
        value={wanted}
        placeholder={text('searchText')}
        aria-label={text('searchText')}
        maxLength={1000}
        onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        onKeyDown={walk}
      />
      <output class="search-state">
        {wanted.trim() === '' ? '' : hasFailed ? text('failedSearch') : describe(state)}
      </output>
      <Button name="previousResult" icon="up" onClick={() => search?.previousResult()} isOff={state.total === 0} />
      <Button name="nextResult" icon="down" onClick={() => search?.nextResult()} isOff={state.total === 0} />
      <Button
        name="matchCase"
        icon="matchCase"
        onClick={toggle(MatchFlag.MatchCase)}
        isPressed={state.flags.includes(MatchFlag.MatchCase)}
      />
      <Button
        name="wholeWord"
        icon="wholeWord"
        onClick={toggle(MatchFlag.MatchWholeWord)}
        isPressed={state.flags.includes(MatchFlag.MatchWholeWord)}
      />
      <Button name="close" icon="close" onClick={onClose} />
    </search>
  )
}

interface SearchState {
  readonly loading: boolean
  readonly total: number
  readonly activeResultIndex: number
  readonly results: readonly unknown[]
}

function describe({ loading, results, activeResultIndex }: SearchState): string {
  if (results.length > 0) return text('resultOf', { number: activeResultIndex + 1, count: results.length })
  return loading ? text('searching') : text('noResults')
}

function topOf(rects: readonly Rect[]): { x: number; y: number } | undefined {
  const [first] = rects
  return first && { x: first.origin.x, y: first.origin.y }
}
