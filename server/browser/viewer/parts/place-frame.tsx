// The frame around one annotation.
import type { TargetedPointerEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import { kindOf } from '../engine/comments.js'
import type { Edits } from '../engine/edits.js'
import type { Point } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import type { Box } from '../engine/page-space.js'
import { mayResize, type PlacedAnnotation, placeOp } from '../engine/place.js'
import { mayOn } from '../engine/rights.js'

interface PlaceFrameProps {
  readonly id: string
  readonly opened: OpenedDocument
  readonly annotation: PlacedAnnotation
  readonly edits: Edits
  /** Pixels per unit of the page. */
  readonly pixels: number
  /** Returns where the pointer is, in units of the page. */
  readonly at: (event: PointerEvent) => Point
  readonly isChosen: boolean
  readonly onChoice: (isChosen: boolean) => void
  readonly onProblem: (error: unknown) => void
}

const corners = ['nw', 'ne', 'sw', 'se'] as const
type Grip = (typeof corners)[number] | 'all'

interface Drag {
  readonly grip: Grip
  readonly from: Point
  readonly box: Box
}

const smallest = 4
/** Steps of the arrow keys in units of the page, and how long they are gathered before they are sent. */
const [step, gatherMs] = [2, 600]
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-step, 0],
  ArrowRight: [step, 0],
  ArrowUp: [0, -step],
  ArrowDown: [0, step],
}

export function PlaceFrame(props: PlaceFrameProps) {
  const { id, opened, annotation, edits, pixels, at, isChosen, onChoice, onProblem } = props
  const [moved, setMoved] = useState<Box | undefined>()
  const [drag, setDrag] = useState<Drag | undefined>()
  const gathering = useRef<number | undefined>()
  const box = moved ?? annotation.rect
  // The page shows it in its new place by now.
  useEffect(() => setMoved(undefined), [annotation])

  const send = (to: Box) => {
    window.clearTimeout(gathering.current)
    gathering.current = undefined
    edits.apply([placeOp(annotation, to)]).catch((error: unknown) => {
      setMoved(undefined)
      onProblem(error)
    })
  }
  const begin = (event: TargetedPointerEvent<HTMLElement>, grip: Grip) => {
    event.stopPropagation()
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ grip, from: at(event), box })
  }
  const go = (event: TargetedPointerEvent<HTMLElement>) => {
    event.stopPropagation()
    if (drag === undefined) return
    const { x, y } = at(event)
    setMoved(dragged(drag, x - drag.from.x, y - drag.from.y))
  }
  const end = (event: TargetedPointerEvent<HTMLElement>) => {
    event.stopPropagation()
    if (drag !== undefined && moved !== undefined && !isSame(moved, drag.box)) send(moved)
    setDrag(undefined)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && event.currentTarget instanceof HTMLElement) event.currentTarget.blur()
    if (event.key === 'Delete' && mayOn(opened, 'delete', annotation)) {
      edits.apply([{ type: 'annotations.delete', ref: annotation.ref }]).catch(onProblem)
    }
    const [x, y] = arrows[event.key] ?? []
    if (x === undefined || y === undefined) return
    event.preventDefault()
    const by = event.shiftKey && mayResize(annotation) ? 'se' : 'all'
    const to = dragged({ grip: by, box }, x, y)
    setMoved(to)
    window.clearTimeout(gathering.current)
    gathering.current = window.setTimeout(() => send(to), gatherMs)
  }
  const leave = () => {
    onChoice(false)
    if (gathering.current !== undefined && moved !== undefined) send(moved)
  }

  const style = {
    left: `${box.x * pixels}px`,
    top: `${box.y * pixels}px`,
    width: `${box.width * pixels}px`,
    height: `${box.height * pixels}px`,
  }
  const handlers = { onPointerMove: go, onPointerUp: end, onPointerCancel: () => setDrag(undefined) }
  return (
    <div class={isChosen ? 'place-frame chosen' : 'place-frame'} style={style}>
      <button
        type="button"
        id={id}
        aria-label={text('placeOf', { kind: text(kindOf(annotation.subtype)) })}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Shift+ArrowRight Delete"
        onFocus={() => onChoice(true)}
        onBlur={leave}
        onKeyDown={onKey}
        onPointerDown={(event) => begin(event, 'all')}
        {...handlers}
      />
      {isChosen &&
        mayResize(annotation) &&
        corners.map((corner) => (
          <button
            type="button"
            key={corner}
            class={`place-corner ${corner}`}
            // The keyboard resizes with Shift.
            tabIndex={-1}
            aria-hidden="true"
            // The frame keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onPointerDown={(event) => begin(event, corner)}
            {...handlers}
          />
        ))}
    </div>
  )
}

/** Returns the box after a corner of it, or all of it, was moved. */
function dragged({ grip, box }: Pick<Drag, 'grip' | 'box'>, byX: number, byY: number): Box {
  if (grip === 'all') return { ...box, x: box.x + byX, y: box.y + byY }
  const width = Math.max(smallest, grip.endsWith('e') ? box.width + byX : box.width - byX)
  const height = Math.max(smallest, grip.startsWith('s') ? box.height + byY : box.height - byY)
  return {
    x: grip.endsWith('e') ? box.x : box.x + box.width - width,
    y: grip.startsWith('s') ? box.y : box.y + box.height - height,
    width,
    height,
  }
}

const isSame = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height
