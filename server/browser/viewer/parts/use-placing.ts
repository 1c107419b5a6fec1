// Where an annotation is while it is moved: its place on the page is that of the server, until the reader moves it, and
// again after the last move was stored and read back.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Edits } from '../engine/edits.js'
import { type Grip, isSame, moved, type Step } from '../engine/grip.js'
import type { Box } from '../engine/page-space.js'
import { type PlacedAnnotation, placeOp } from '../engine/place.js'

interface PlacingParts {
  readonly annotation: PlacedAnnotation
  /** Size of the page. */
  readonly page: Pick<Box, 'width' | 'height'>
  readonly edits: Edits
  readonly onProblem: (error: unknown) => void
}

/** Time for which steps by key are gathered before they are sent. */
const gatherMs = 600

/** One annotation on the move. The parts are those of the last rendering. */
class Placing {
  #drag: { readonly grip: Grip; readonly from: Step; readonly box: Box } | undefined
  #gathering: number | undefined
  /** Moves that the server has not answered. */
  #unanswered = 0
  /** Place of the annotation when a move was last sent. */
  #sentFrom: Box | undefined
  /** The annotation as it was when the reader took hold of it; undefined after what was done to it was sent. */
  #taken: { readonly annotation: PlacedAnnotation; readonly isCurrent: boolean } | undefined
  #shown: Box | undefined

  constructor(
    public parts: PlacingParts,
    private readonly onShown: (box: Box | undefined) => void,
  ) {}

  get box(): Box {
    return this.#shown ?? this.parts.annotation.rect
  }

  begin(grip: Grip, from: Step): void {
    this.#drag = { grip, from, box: this.box }
    this.#take()
  }

  /** Returns true if a drag has moved the annotation. */
  go({ x, y }: Step): boolean {
    if (this.#drag === undefined) return false
    const { grip, from, box } = this.#drag
    this.#show(moved(box, grip, { x: x - from.x, y: y - from.y }, this.parts.page))
    return !isSame(this.box, box)
  }

  /** Ends the drag. */
  end(): void {
    const begun = this.#drag
    this.#drag = undefined
    if (begun === undefined) return
    if (isSame(this.box, begun.box)) this.#taken = undefined
    else this.#send()
  }

  /** Takes a drag back. Returns false if there is none. */
  cancel(): boolean {
    if (this.#drag === undefined) return false
    this.#show(this.#drag.box)
    this.#drag = undefined
    this.#taken = undefined
    return true
  }

  /** Moves it by a key; keys in quick succession are sent together. */
  step(grip: Grip, by: Step): void {
    window.clearTimeout(this.#gathering)
    this.#take()
    this.#show(moved(this.box, grip, by, this.parts.page))
    this.#gathering = window.setTimeout(() => this.flush(), gatherMs)
  }

  /** Sends the steps that were gathered. */
  readonly flush = (): void => {
    if (this.#gathering !== undefined) this.#send()
  }

  /** Drops the steps that were gathered. */
  drop(): void {
    window.clearTimeout(this.#gathering)
    this.#gathering = undefined
    this.#taken = undefined
    this.#show(undefined)
  }

  /** Shows the place that was read, unless the reader is moving it. What others change does not end a move. */
  settle(): void {
    const isMoving = this.#drag !== undefined || this.#gathering !== undefined || this.#unanswered > 0
    if (!isMoving) this.#show(undefined)
  }

  /** Own moves that were not read back yet are no changes of others. */
  #take() {
    const { annotation } = this.parts
    const hasRead = this.#sentFrom === undefined || !isSame(this.#sentFrom, annotation.rect)
    this.#taken ??= { annotation, isCurrent: this.#unanswered === 0 && hasRead }
    return this.#taken
  }

  #show(box: Box | undefined): void {
    this.#shown = box
    this.onShown(box)
  }

  #send(): void {
    window.clearTimeout(this.#gathering)
    this.#gathering = undefined
    const { edits, onProblem } = this.parts
    const { annotation, isCurrent } = this.#take()
    this.#taken = undefined
    const op = placeOp(annotation, this.box, isCurrent)
    const { annotation: read } = this.parts
    this.#sentFrom = read.rect
    this.#unanswered += 1
    edits
      .apply([op])
      .catch((error: unknown) => {
        this.#show(undefined)
        onProblem(error)
      })
      .finally(() => {
        this.#unanswered -= 1
        // Its new place may have been read before the answer came.
        if (this.parts.annotation !== read) this.settle()
      })
  }
}

export function usePlacing(parts: PlacingParts): Placing {
  const [, setShown] = useState<Box | undefined>()
  const kept = useRef<Placing | undefined>()
  kept.current ??= new Placing(parts, setShown)
  const placing = kept.current
  placing.parts = parts
  const { annotation } = parts
  // It was read again: every change of the page makes another one.
  useEffect(() => placing.settle(), [placing, annotation])
  // Gathered steps are stored also when the window is left.
  useEffect(() => {
    window.addEventListener('pagehide', placing.flush)
    return () => {
      window.removeEventListener('pagehide', placing.flush)
      placing.flush()
    }
  }, [placing])
  return placing
}
