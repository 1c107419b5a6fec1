// The frame around one annotation.
import type { TargetedPointerEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import { answersTo, kindOf } from '../engine/comments.js'
import type { Edits } from '../engine/edits.js'
import { corners, type Grip, lowerRightOn, type Step, stepOnPage } from '../engine/grip.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import type { Box } from '../engine/page-space.js'
import { mayResize, type PlacedAnnotation } from '../engine/place.js'
import { isOwn, mayOn } from '../engine/rights.js'
import { boxStyle } from './box-style.js'
import { RemovalQuestion } from './remove-comment.js'
import { usePlacing } from './use-placing.js'

interface PlaceFrameProps {
  readonly id: string
  readonly opened: OpenedDocument
  readonly annotation: PlacedAnnotation
  /** Version of the annotations of the page at which this one was read. */
  readonly version: number
  /** Size of the page. */
  readonly page: Pick<Box, 'width' | 'height'>
  readonly edits: Edits
  /** Pixels per unit of the page. */
  readonly pixels: number
  /** Quarters by which the page is turned on the screen. */
  readonly quarters: number
  /** Returns where the pointer is, in units of the page. */
  readonly at: (event: PointerEvent) => Step
  readonly isChosen: boolean
  readonly onChoice: (isChosen: boolean) => void
  readonly onProblem: (error: unknown) => void
}

/** Steps of the arrow keys on the screen, in units of the page. */
const step = 2
const arrows: Readonly<Record<string, Step>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}

type Pointer = TargetedPointerEvent<HTMLElement>

export function PlaceFrame(props: PlaceFrameProps) {
  const { id, opened, annotation, version, page, edits, pixels, quarters, at, isChosen, onChoice, onProblem } = props
  const placing = usePlacing({ annotation, version, page, edits, onProblem })
  const hasMoved = useRef(false)
  /** Answers that would be removed with the annotation, while the reader is asked about it. */
  const [answers, setAnswers] = useState<readonly unknown[] | undefined>()

  const begin = (event: Pointer, grip: Grip) => {
    event.stopPropagation()
    hasMoved.current = false
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    placing.begin(grip, at(event))
  }
  const handlers = {
    onPointerMove: (event: Pointer) => {
      event.stopPropagation()
      if (placing.go(at(event))) hasMoved.current = true
    },
    onPointerUp: (event: Pointer) => {
      event.stopPropagation()
      placing.end()
    },
    onPointerCancel: () => void placing.cancel(),
    // The click that ends a move, kept or taken back, chooses nothing else.
    onClick: (event: MouseEvent) => hasMoved.current && event.stopPropagation(),
  }
  const remove = () => edits.apply([{ type: 'annotations.delete', ref: annotation.ref }])
  const removeOrAsk = async () => {
    const answers = await answersTo(opened, annotation)
    if ([annotation, ...answers].every((one) => isOwn(opened, one))) return remove()
    setAnswers(answers)
  }
  const onKey = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const by = arrows[event.key]
    if (by !== undefined) {
      event.preventDefault()
      const isResized = event.shiftKey && mayResize(annotation)
      return placing.step(isResized ? lowerRightOn(quarters) : 'all', stepOnPage(by, quarters))
    }
    if (event.key === 'Delete' && mayOn(opened, 'delete', annotation)) {
      placing.drop()
      return void removeOrAsk().catch(onProblem)
    }
    // An undo is that of these steps.
    if (event.key !== 'Shift') placing.flush()
    if (event.key === 'Escape' && !placing.cancel()) event.currentTarget.blur()
  }
  const leave = () => {
    placing.flush()
    onChoice(false)
  }

  const isUpright = quarters % 2 === 0
  return (
    <div class={isChosen ? 'place-frame chosen' : 'place-frame'} style={boxStyle(placing.box, pixels)}>
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
            style={{ cursor: (corner === 'nw' || corner === 'se') === isUpright ? 'nwse-resize' : 'nesw-resize' }}
            // The keyboard resizes with Shift.
            tabIndex={-1}
            aria-hidden="true"
            // The frame keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onPointerDown={(event) => begin(event, corner)}
            {...handlers}
          />
        ))}
      {answers && (
        <RemovalQuestion
          comment={annotation}
          answers={answers}
          onRemove={() => void remove().catch(onProblem)}
          onClose={() => setAnswers(undefined)}
        />
      )}
    </div>
  )
}
