// The links of a page, which can be clicked and reached by keyboard.
import { useScroll } from '@embedpdf/plugin-scroll/preact'
import type { Annotation } from '../../../../workers/contract/annotations/annotation.js'
import { isLinkAddress } from '../../../../workers/contract/link-address.js'
import { text } from '../../shared/texts.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { boxStyle } from './box-style.js'
import { goTo } from './go-to.js'

interface LinkLayerProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly annotations: readonly Annotation[]
  /** Pixels per unit of the page. */
  readonly pixels: number
}

export function LinkLayer({ opened, documentId, annotations, pixels }: LinkLayerProps) {
  const { provides: scroll } = useScroll(documentId)
  const links = annotations.filter((one) => one.subtype === 'link')
  return (
    <>
      {links.map(({ ref, rect, target }) => {
        const style = boxStyle(rect, pixels)
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
        const address = target?.kind === 'uri' && isLinkAddress(target.uri) ? target.uri : undefined
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
