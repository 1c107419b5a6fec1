// Zoom with the wheel in small steps: a notch of a mouse is many times as far as a movement on a touchpad.
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Largest movement that is passed on; it changes the size by a fifth. */
const furthest = 20

/** Returns the reference of the element around the pages. */
export function useGentleWheel(): RefObject<HTMLElement> {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = element
    const soften = (event: WheelEvent) => {
      if (!(event.ctrlKey || event.metaKey) || Math.abs(event.deltaY) <= furthest) return
      event.preventDefault()
      event.stopPropagation()
      const { clientX, clientY, ctrlKey, metaKey, deltaY } = event
      const gentle = { clientX, clientY, ctrlKey, metaKey, deltaY: Math.sign(deltaY) * furthest }
      event.target?.dispatchEvent(new WheelEvent('wheel', { ...gentle, bubbles: true, cancelable: true }))
    }
    // Before the part that zooms.
    current?.addEventListener('wheel', soften, { capture: true, passive: false })
    return () => current?.removeEventListener('wheel', soften, { capture: true })
  }, [])
  return element
}
