// Places in the document that the reader came from: Back and Forward of the browser lead there.
import { useEffect } from 'preact/hooks'

/** Goes somewhere else in the document, so that Back leads here. */
export function jump(go: () => void): void {
  remember('replaceState')
  go()
  // The place is known when the pages have moved.
  requestAnimationFrame(() => remember('pushState'))
}

/** Follows Back and Forward. */
export function usePlaces(): void {
  useEffect(() => {
    const onPop = ({ state }: PopStateEvent) => {
      const pages = viewport()
      const { place } = Object(state) as { readonly place?: unknown }
      if (pages && typeof place === 'number') pages.scrollTop = place * pages.scrollHeight
    }
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
}

function remember(how: 'pushState' | 'replaceState'): void {
  const pages = viewport()
  // A part of the whole, which is the same at every zoom.
  if (pages) history[how]({ place: pages.scrollTop / pages.scrollHeight }, '')
}

const viewport = () => document.querySelector('.viewport')
