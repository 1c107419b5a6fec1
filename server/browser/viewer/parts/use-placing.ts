// Where an annotation is while it is moved: its place on the page is that of the server, until the reader moves it, and
// again after the last move was stored and read back.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReadAnnotation } from '../engine/answered.js'
import type { Edits } from '../engine/edits.js'
import { type Grip, isSame, moved, type Step } from '../engine/grip.js'
import type { Box } from '../engine/page-space.js'
import { isPlaced, type PlacedAnnotation, placeOp } from '../engine/place.js'

interface PlacingParts extends ReadAnnotation<PlacedAnnotation> {
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
  /** The annotation as it was read when the reader took hold of it; undefined after what was done to it was sent. */
  #taken: ReadAnnotation<PlacedAnnotation> | undefined
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
    const { annotation, version, edits } = this.parts
    const isReadBack = version >= (edits.answered.lastOf(annotation.ref)?.version ?? 0)
    if (!isMoving && isReadBack) this.#show(undefined)
  }

  #take() {
    const { annotation, version } = this.parts
    this.#taken ??= { annotation, version }
    return this.#taken
  }

  /** Own changes that were not read back when the reader took hold of it are no changes of others. */
  #current({ annotation, version }: ReadAnnotation<PlacedAnnotation>): PlacedAnnotation {
    const own = this.parts.edits.answered.lastOf(annotation.ref)
    return own !== undefined && own.version > version && isPlaced(own.annotation) ? own.annotation : annotation
  }

  #show(box: Box | undefined): void {
    this.#shown = box
    this.onShown(box)
  }

  #send(): void {
    window.clearTimeout(this.#gathering)
    this.#gathering = undefined
    const { edits, onProblem } = this.parts
    const [taken, to] = [this.#take(), this.box]
    this.#taken = undefined
    this.#unanswered += 1
    edits
      .apply(() => [placeOp(this.#current(taken), to)])
      .catch((error: unknown) => {
        this.#show(undefined)
        onProblem(error)
      })
      .finally(() => {
        this.#unanswered -= 1
        // Its new place may have been read before the answer came.
        this.settle()
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
