// The links of a page, which can be clicked and reached by keyboard.
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import { useEffect, useState } from 'preact/hooks'
import type { LinkAnnotation } from '../../../../workers/contract/annotations/link.js'
import { text } from '../../shared/texts.js'
import { linksOf } from '../engine/links.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { goTo, safeAddress } from './go-to.js'

interface LinkLayerProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly pageIndex: number
  /** Pixels per point of the page as it is shown. */
  readonly scale: number
  /** Changes with every change of the page. */
  readonly version: number
}

export function LinkLayer({ opened, documentId, pageIndex, scale, version }: LinkLayerProps) {
  const { provides: scroll } = useScroll(documentId)
  const [links, setLinks] = useState<readonly LinkAnnotation[]>([])
  useEffect(() => {
    const controller = new AbortController()
    // A page without links is better than none.
    linksOf(opened, pageIndex, controller.signal).then(setLinks, () => {})
    return () => controller.abort()
  }, [opened, pageIndex, version])
  const pixels = scale * opened.pageAt(pageIndex).userUnit
  return (
    <>
      {links.map(({ ref, rect, target }) => {
        const style = {
          left: `${rect.x * pixels}px`,
          top: `${rect.y * pixels}px`,
          width: `${rect.width * pixels}px`,
          height: `${rect.height * pixels}px`,
        }
        const key = JSON.stringify(ref)
        if (target?.kind === 'goto') {
          const { destination } = target
          const number = (opened.indexOf(destination.page.objectNumber) ?? -1) + 1
          if (number === 0) return null
          const onClick = () => scroll && goTo(opened, scroll, destination)
          return (
            <button
              key={key}
              type="button"
              class="page-link"
              style={style}
              onClick={onClick}
              aria-label={text('page', { number })}
            />
          )
        }
        const address = target?.kind === 'uri' ? safeAddress(target.uri) : undefined
        if (address === undefined) return null
        return (
          <a
            key={key}
            class="page-link"
            style={style}
            href={address}
            title={address}
            target="_blank"
            rel="noopener noreferrer"
          >
            <span class="unseen">{address}</span>
          </a>
        )
      })}
    </>
  )
}
