// Small picture of the first page, which is requested when it comes into sight.
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { Icon } from '../parts/icon.js'
import type { DocumentRecord } from './document.js'

export function Thumbnail({ document: { thumbnailUrl } }: { readonly document: DocumentRecord }) {
  const { client } = useSession()
  const place = useRef<HTMLSpanElement>(null)
  const [picture, setPicture] = useState<string | undefined>()
  useEffect(() => {
    if (place.current === null || thumbnailUrl === null) return
    const controller = new AbortController()
    let shown: string | undefined
    const load = async () => {
      const blob = await client.blob(thumbnailUrl.slice(1), { signal: controller.signal })
      shown = URL.createObjectURL(blob)
      setPicture(shown)
    }
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return
      observer.disconnect()
      // Without its picture the document is shown with a sign.
      load().catch(() => {})
    })
    observer.observe(place.current)
    return () => {
      controller.abort()
      observer.disconnect()
      if (shown !== undefined) URL.revokeObjectURL(shown)
    }
  }, [client, thumbnailUrl])
  return (
    <span ref={place} class="thumbnail" aria-hidden="true">
      {picture === undefined ? <Icon name="document" /> : <img src={picture} alt="" />}
    </span>
  )
}
