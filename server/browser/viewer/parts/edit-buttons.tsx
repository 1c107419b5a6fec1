// Marks the selected text, chooses what the pointer draws, and takes back what was done in this window.
import { useCapability } from '@embedpdf/core/preact'
import { SelectionPlugin } from '@embedpdf/plugin-selection'
import { useEffect, useState } from 'preact/hooks'
import type { Edits } from '../engine/edits.js'
import { markOps, type TextMark, type Tool, textMarks, tools } from '../engine/new-annotations.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { Button } from './button.js'

interface EditButtonsProps {
  readonly opened: OpenedDocument
  readonly documentId: string
  readonly edits: Edits
  readonly tool: Tool | undefined
  readonly onTool: (tool: Tool | undefined) => void
  readonly onProblem: (error: unknown) => void
}

export function EditButtons({ opened, documentId, edits, tool, onTool, onProblem }: EditButtonsProps) {
  const { provides } = useCapability<SelectionPlugin>(SelectionPlugin.id)
  const [isSelected, setSelected] = useState(false)
  const selection = provides?.forDocument(documentId)
  useEffect(
    () => provides?.forDocument(documentId).onSelectionChange((range) => setSelected(range !== null)),
    [provides, documentId],
  )
  const mark = (how: TextMark) => {
    const ops = markOps(opened, selection?.getFormattedSelection() ?? [], how)
    if (ops.length > 0) edits.apply(ops).then(() => selection?.clear(), onProblem)
  }
  const marks = textMarks.filter((one) => one !== 'redact' || opened.may('doc.redact'))
  return (
    <span class="edit-buttons">
      {opened.may('doc.text.select') &&
        marks.map((one) => <Button key={one} name={one} icon={one} onClick={() => mark(one)} isOff={!isSelected} />)}
      {tools.map((one) => (
        <Button
          key={one}
          name={one}
          icon={one}
          isPressed={tool === one}
          onClick={() => onTool(tool === one ? undefined : one)}
        />
      ))}
      <Button name="undo" icon="undo" onClick={() => void edits.undo().catch(onProblem)} isOff={!edits.canUndo} />
      <Button name="redo" icon="redo" onClick={() => void edits.redo().catch(onProblem)} isOff={!edits.canRedo} />
    </span>
  )
}
