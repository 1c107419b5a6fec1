// Annotations that readers make: each becomes one op.
import type { FormattedSelection } from '@embedpdf/plugin-selection'
import type { Op } from './edits.js'
import type { OpenedDocument } from './opened-document.js'

export interface Point {
  readonly x: number
  readonly y: number
}

/** Marks of selected text. */
export const textMarks = ['highlight', 'underline', 'strikeout', 'redact'] as const
export type TextMark = (typeof textMarks)[number]

/** Things that are put on a page with the pointer. */
export const tools = ['note', 'square', 'ink'] as const
export type Tool = (typeof tools)[number]

const colors: Readonly<Record<TextMark | Tool, string>> = {
  highlight: '#ffd400',
  underline: '#1a7f37',
  strikeout: '#d1242f',
  redact: '#d1242f',
  note: '#ffd400',
  square: '#d1242f',
  ink: '#1f5fbf',
}

const noteSize = 20
/** Shorter sides are taken for a slip of the pointer. */
const shortest = 3

/** Returns the ops that mark the selected text, one for each page. */
export function markOps(
  opened: OpenedDocument,
  selected: readonly FormattedSelection[],
  mark: TextMark,
): readonly Op[] {
  return selected.map(({ pageIndex, segmentRects }) => {
    const { userUnit } = opened.pageAt(pageIndex)
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
    return create(opened, pageIndex, { subtype: mark, color: colors[mark], quadPoints })
  })
}

/** Returns the op that puts a note on the page. */
export const noteOp = (opened: OpenedDocument, pageIndex: number, at: Point, contents: string): Op =>
  create(opened, pageIndex, {
    subtype: 'text',
    color: colors.note,
    rect: { ...at, width: noteSize, height: noteSize },
    contents,
  })

/** Returns the op of what was drawn, in points of the page; undefined for a slip. */
export function drawnOp(
  opened: OpenedDocument,
  pageIndex: number,
  { tool, points }: { readonly tool: 'square' | 'ink'; readonly points: readonly Point[] },
): Op | undefined {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - x, Math.max(...ys) - y]
  if (Math.max(width, height) < shortest) return undefined
  const color = colors[tool]
  if (tool === 'ink') return create(opened, pageIndex, { subtype: 'ink', color, strokeWidth: 2, inkList: [points] })
  if (Math.min(width, height) < shortest) return undefined
  return create(opened, pageIndex, { subtype: 'square', color, strokeWidth: 2, rect: { x, y, width, height } })
}

const create = (opened: OpenedDocument, pageIndex: number, data: object): Op => ({
  type: 'annotations.create',
  page: opened.pageAt(pageIndex).ref,
  data,
})
