// Marks the selected text, and takes back what was done in this window.
import { useCapability } from '@embedpdf/core/preact'
import { SelectionPlugin } from '@embedpdf/plugin-selection'
import { useEffect, useState } from 'preact/hooks'
import type { Edits } from '../engine/edits.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { Button } from './button.js'

interface EditButtonsProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly edits: Edits
  readonly onProblem: (error: unknown) => void
}

const markColor = '#ffd400'

export function EditButtons({ opened, documentId, edits, onProblem }: EditButtonsProps) {
  const { provides } = useCapability<SelectionPlugin>(SelectionPlugin.id)
  const [isSelected, setSelected] = useState(false)
  const selection = provides?.forDocument(documentId)
  useEffect(
    () => provides?.forDocument(documentId).onSelectionChange((range) => setSelected(range !== null)),
    [provides, documentId],
  )
  const highlight = () => {
    const ops = (selection?.getFormattedSelection() ?? []).map(({ pageIndex, segmentRects }) => {
      const { ref, userUnit } = opened.pageAt(pageIndex)
      const quadPoints = segmentRects.map(({ origin, size }) => {
        const [left, top] = [origin.x / userUnit, origin.y / userUnit]
        const [right, bottom] = [left + size.width / userUnit, top + size.height / userUnit]
        return {
          upperLeft: { x: left, y: top },
          upperRight: { x: right, y: top },
          lowerLeft: { x: left, y: bottom },
          lowerRight: { x: right, y: bottom },
        }
      })
      return { type: 'annotations.create', page: ref, data: { subtype: 'highlight', color: markColor, quadPoints } }
    })
    if (ops.length === 0) return
    edits.apply(ops).then(() => selection?.clear(), onProblem)
  }
  return (
    <>
      <Button name="highlight" icon="highlight" onClick={highlight} isOff={!isSelected} />
      <Button name="undo" icon="undo" onClick={() => void edits.undo().catch(onProblem)} isOff={!edits.canUndo} />
      <Button name="redo" icon="redo" onClick={() => void edits.redo().catch(onProblem)} isOff={!edits.canRedo} />
    </>
  )
}
