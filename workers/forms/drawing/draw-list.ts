// Draws the options of a list box in its frame, with the selected ones highlighted.
import type { Color } from '../../contract/color.js'
import type { FieldOption } from '../../contract/field-option.js'
import { fillColor, numbers } from '../../text/content-operands.js'
import type { TextLayout } from '../../text/text-layout.js'
import { ascent, descent, leading } from '../../text/text-lines.js'
import { at } from './draw-text.js'
import type { WidgetFrame } from './widget-frame.js'

export interface ListDrawing {
  readonly frame: WidgetFrame
  readonly textLayout: TextLayout
  readonly options: readonly FieldOption[]
  /** Index of the first visible option, provided that the first selected option is then visible as well. */
  readonly top: number
  readonly color: Color
  readonly fontSize: number
}

const markColor: Color = '#99c1da'
const autoSize = 12

export function drawList({ frame, textLayout, options, top, color, fontSize }: ListDrawing): string {
  const size = fontSize > 0 ? fontSize : autoSize
  const { inset, width, height } = frame
  const step = leading * size
  const inner = Math.max(0, height - 2 * inset)
  const first = firstShown(options, { top, rows: Math.max(1, Math.floor(inner / step)) })
  const visible = options.slice(first, first + Math.ceil(inner / step))
  const topOf = (index: number): number => height - inset - index * step
  const marks = visible.flatMap(({ selected }, index) =>
    selected ? [`${fillColor(markColor)} ${numbers(inset, topOf(index) - step, width - 2 * inset, step)} re f`] : [],
  )
  const texts = visible.map(({ label }, index) => {
    const baseline = topOf(index) - ((leading - ascent - descent) / 2 + ascent) * size
    return at(2 * inset, baseline) + textLayout.show(label.normalize('NFC'), size)
  })
  const clip = `${numbers(inset, inset, Math.max(0, width - 2 * inset), inner)} re W n`
  return `q\n${[clip, ...marks, 'BT', fillColor(color), ...texts, 'ET'].join('\n')}\nQ\n`
}

interface Window {
  readonly top: number
  readonly rows: number
}

/** Scrolls only as far as necessary to show the selection. */
function firstShown(options: readonly FieldOption[], { top, rows }: Window): number {
  const selected = options.findIndex((option) => option.selected)
  if (selected < 0) return top
  return Math.max(Math.min(top, selected), selected - rows + 1)
}
