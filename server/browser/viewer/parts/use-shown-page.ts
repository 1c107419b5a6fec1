// Number of the page that is being read.
import type { ScrollMetrics } from '@embedpdf/plugin-scroll'
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import { useEffect, useState } from 'preact/hooks'

/** Returns the first page of which at least half is seen: where several fit the window, that is where reading begins. */
export function useShownPage(documentId: string): number {
  const { provides: scroll, state } = useScroll(documentId)
  const [shown, setShown] = useState<number | undefined>()
  useEffect(() => scroll?.onScroll((metrics) => setShown(pageIn(metrics))), [scroll])
  useEffect(() => {
    if (scroll !== null) setShown(pageIn(scroll.getMetrics()))
  }, [scroll, state.currentPage])
  return shown ?? state.currentPage
}

function pageIn({ pageVisibilityMetrics, currentPage }: ScrollMetrics): number {
  const half = pageVisibilityMetrics.filter(({ visiblePercentage }) => visiblePercentage >= 50)
  return half.length === 0 ? currentPage : Math.min(...half.map(({ pageNumber }) => pageNumber))
}
