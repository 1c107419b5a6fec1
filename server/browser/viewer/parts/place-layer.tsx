// Frames around the annotations of a page, by which they are moved, resized and removed: with the pointer after a click,
// or by keyboard.
import { useEffect, useRef, useState } from 'preact/hooks'
import { annotationKey } from '../engine/annotation-key.js'
import type { Edits } from '../engine/edits.js'
import type { Point } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import type { PageAnnotations } from '../engine/page-annotations.js'
import type { Box } from '../engine/page-space.js'
import { mayPlace, type PlacedAnnotation } from '../engine/place.js'
import { PlaceFrame } from './place-frame.js'
import { pointOnPage } from './point-on-page.js'

interface PlaceLayerProps {
  readonly opened: OpenedDocument
  readonly pageIndex: number
  readonly read: PageAnnotations
  readonly edits: Edits
  /** Pixels per unit of the page. */
  readonly pixels: number
  /** Quarters by which the page is turned on the screen. */
  readonly quarters: number
  readonly onProblem: (error: unknown) => void
}

export function PlaceLayer({ opened, pageIndex, read, edits, pixels, quarters, onProblem }: PlaceLayerProps) {
  const layer = useRef<HTMLDivElement>(null)
  const placed = read.annotations.filter((one): one is PlacedAnnotation => mayPlace(opened, one))
  const [chosen, setChosen] = useState<string | undefined>()
  const at = (event: MouseEvent): Point => {
    const page = layer.current?.parentElement
    const { x, y } = page ? pointOnPage(page, event, quarters) : { x: 0, y: 0 }
    return { x: x / pixels, y: y / pixels }
  }
  useEffect(() => {
    const page = layer.current?.parentElement
    if (!page) return
    // Frames let the pointer through until they are chosen, so that the text below can be selected.
    const onClick = (event: MouseEvent) => {
      const point = at(event)
      const found = placed.filter(({ rect }) => isIn(rect, point)).toSorted((one, other) => area(one) - area(other))[0]
      if (found !== undefined) document.getElementById(frameId(found))?.focus({ preventScroll: true })
    }
    page.addEventListener('click', onClick)
    return () => page.removeEventListener('click', onClick)
  })
  return (
    <div class="place-layer" ref={layer}>
      {placed.map((annotation) => {
        const id = frameId(annotation)
        return (
          <PlaceFrame
            key={id}
            id={id}
            opened={opened}
            annotation={annotation}
            version={read.version}
            page={opened.pageAt(pageIndex).size}
            edits={edits}
            pixels={pixels}
            quarters={quarters}
            at={at}
            isChosen={chosen === id}
            onChoice={(isChosen) => setChosen(isChosen ? id : undefined)}
            onProblem={onProblem}
          />
        )
      })}
    </div>
  )
}

const frameId = ({ ref }: PlacedAnnotation): string => `frame of ${annotationKey(ref)}`
const area = ({ rect }: PlacedAnnotation): number => rect.width * rect.height
const isIn = ({ x, y, width, height }: Box, at: Point): boolean =>
  at.x >= x && at.x <= x + width && at.y >= y && at.y <= y + height
