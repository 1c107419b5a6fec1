// The surface over a page on which the chosen tool draws.
import type { TargetedPointerEvent } from 'preact'
import { useState } from 'preact/hooks'
import type { Edits } from '../engine/edits.js'
import { drawnOp, noteOp, type Point, type Tool } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { NoteForm } from './note-form.js'

interface DrawLayerProps {
  readonly opened: OpenedDocument
  readonly pageIndex: number
  readonly tool: Tool
  readonly edits: Edits
  /** Pixels per unit of the page. */
  readonly pixels: number
  readonly onProblem: (error: unknown) => void
  /** Called when the tool is put away. */
  readonly onDone: () => void
}

type Pointer = TargetedPointerEvent<HTMLDivElement>

export function DrawLayer({ opened, pageIndex, tool, edits, pixels, onProblem, onDone }: DrawLayerProps) {
  const [points, setPoints] = useState<readonly Point[]>([])
  const [notePlace, setNotePlace] = useState<Point | undefined>()
  const at = ({ offsetX, offsetY }: Pointer): Point => ({ x: offsetX / pixels, y: offsetY / pixels })
  const begin = (event: Pointer) => {
    // The page below selects text with the same movement.
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    if (tool === 'note') setNotePlace(at(event))
    else setPoints([at(event)])
  }
  const go = (event: Pointer) => {
    event.stopPropagation()
    if (points.length > 0) setPoints([...points, at(event)])
  }
  const end = (event: Pointer) => {
    event.stopPropagation()
    if (tool === 'note' || points.length === 0) return
    const op = drawnOp(opened, pageIndex, { tool, points: [...points, at(event)] })
    setPoints([])
    if (op !== undefined) edits.apply([op]).then(onDone, onProblem)
  }
  const note = async (contents: string) => {
    if (notePlace === undefined) return
    try {
      await edits.apply([noteOp(opened, pageIndex, notePlace, contents)])
      setNotePlace(undefined)
      onDone()
    } catch (error) {
      onProblem(error)
    }
  }
  return (
    <>
      <div
        class="draw-layer"
        data-tool={tool}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={() => setPoints([])}
      />
      {points.length > 1 && <Preview points={points} tool={tool} pixels={pixels} />}
      {notePlace !== undefined && (
        <NoteForm
          style={{ left: `${notePlace.x * pixels}px`, top: `${notePlace.y * pixels}px` }}
          onText={note}
          onClose={() => setNotePlace(undefined)}
          // Whoever goes on with something else has written it.
          onLeave={(contents) => {
            edits.apply([noteOp(opened, pageIndex, notePlace, contents)]).catch(onProblem)
          }}
        />
      )}
    </>
  )
}

interface PreviewProps {
  readonly points: readonly Point[]
  readonly tool: Tool
  readonly pixels: number
}

function Preview({ points, tool, pixels }: PreviewProps) {
  const scaled = points.map(({ x, y }) => ({ x: x * pixels, y: y * pixels }))
  const [first, last] = [scaled[0], scaled.at(-1)]
  if (first === undefined || last === undefined) return null
  const corners = [first, { x: last.x, y: first.y }, last, { x: first.x, y: last.y }, first]
  const shown = tool === 'ink' ? scaled : corners
  return (
    <svg class="draw-preview" aria-hidden="true">
      <polyline points={shown.map(({ x, y }) => `${x},${y}`).join(' ')} />
    </svg>
  )
}
