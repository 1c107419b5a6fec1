// Places in the document that the reader came from: Back and Forward of the browser lead there.
import { useEffect } from 'preact/hooks'

/** Goes somewhere else in the document, so that Back leads here. */
export function jump(go: () => void): void {
  remember('replaceState')
  go()
  // The place is known when the pages have moved.
  requestAnimationFrame(() => remember('pushState'))
}

/** Follows Back and Forward, and keeps the place for when the page is loaded again. */
export function usePlaces(): void {
  useEffect(() => {
    const keep = () => remember('replaceState')
    window.addEventListener('popstate', returnToPlace)
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('popstate', returnToPlace)
      window.removeEventListener('pagehide', keep)
    }
  }, [])
}

/** Goes to the place that the history has for this page. */
export function returnToPlace(): void {
  const pages = viewport()
  const { place } = Object(history.state) as { readonly place?: unknown }
  if (pages && typeof place === 'number') pages.scrollTop = place * pages.scrollHeight
}

function remember(how: 'pushState' | 'replaceState'): void {
  const pages = viewport()
  // A part of the whole, which is the same at every zoom.
  if (pages) history[how]({ place: pages.scrollTop / pages.scrollHeight }, '')
}

const viewport = () => document.querySelector('.viewport')
