// Computes the frame of a widget: its size before rotation, rotation, border and background (ISO 32000-2, 12.5.6.19).
import type { PDFObject } from 'mupdf'
import { borderOf } from '../../annotations/reading/shared-members.js'
import type { Matrix } from '../../content/placement.js'
import type { BorderStyle } from '../../contract/border-style.js'
import type { Color } from '../../contract/color.js'
import { colorOf } from '../../objects/colors.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { entry, numberOf } from '../../objects/values.js'
import { fillColor, number, numbers, strokeColor } from '../../text/content-operands.js'

export interface WidgetFrame {
  /** Size before the rotation. */
  readonly width: number
  readonly height: number
  /** Matrix from the drawing to the page. */
  readonly matrix: Matrix
  readonly border: Color | undefined
  readonly background: Color | undefined
  readonly borderStyle: BorderStyle
  readonly dashes: readonly number[]
  /** Width of the border; 0 if none is drawn. */
  readonly borderWidth: number
  /** Width of the border on each side, or of the space reserved for one. */
  readonly inset: number
}

type Turn = (width: number, height: number) => Matrix

/** Rotations counter-clockwise, as in /R; width and height are those on the page. */
const turns: Readonly<Record<number, Turn>> = {
  90: (width) => [0, 1, -1, 0, width, 0],
  180: (width, height) => [-1, 0, 0, -1, width, height],
  270: (_width, height) => [0, -1, 1, 0, 0, height],
}

const upright: Matrix = [1, 0, 0, 1, 0, 0]

export function frameOf(widget: PDFObject): WidgetFrame {
  const rect = rectangleOf(entry(widget, 'Rect')) ?? emptyRect
  const width = rect.right - rect.left
  const height = rect.top - rect.bottom
  const characteristics = entry(widget, 'MK')
  const degrees = (((numberOf(entry(characteristics, 'R')) ?? 0) % 360) + 360) % 360
  const isSideways = degrees === 90 || degrees === 270
  const border = colorOf(entry(characteristics, 'BC'))
  const { strokeWidth, borderStyle, dashArray } = borderOf({ object: widget })
  const isRaised = borderStyle === 'beveled' || borderStyle === 'inset'
  return {
    width: isSideways ? height : width,
    height: isSideways ? width : height,
    matrix: turns[degrees]?.(width, height) ?? upright,
    border,
    background: colorOf(entry(characteristics, 'BG')),
    borderStyle,
    dashes: dashArray ?? [],
    borderWidth: border === undefined ? 0 : strokeWidth,
    inset: Math.max(1, strokeWidth) * (isRaised ? 2 : 1),
  }
}

/** Draws background and border, and the dividers between cells of a comb. */
export function drawFrame(frame: WidgetFrame, cells = 1): string {
  const { width, height, background, border, borderWidth } = frame
  const parts: string[] = []
  if (background !== undefined) parts.push(`${fillColor(background)} 0 0 ${numbers(width, height)} re f`)
  if (border !== undefined && borderWidth > 0) parts.push(...borderParts(frame, border), ...dividers(frame, cells))
  return parts.length === 0 ? '' : `q\n${parts.join('\n')}\nQ\n`
}

function borderParts(frame: WidgetFrame, color: Color): readonly string[] {
  const { width, height, borderWidth, borderStyle, dashes } = frame
  const half = borderWidth / 2
  const dash = borderStyle === 'dashed' ? `[${numbers(...dashes)}] 0 d ` : ''
  const outline = `${strokeColor(color)} ${number(borderWidth)} w ${dash}${numbers(half, half, width - borderWidth, height - borderWidth)} re S`
  const [lit, shaded] = edgeColors[borderStyle] ?? []
  return lit === undefined || shaded === undefined ? [outline] : [...edges(frame, lit, shaded), outline]
}

/** More dividers than this are none: their cells are narrower than any character. */
const cellsMax = 1_000

/** Part of a cell that a divider may take: with thicker ones, the field would hide what is below it. */
const dividerShareMax = 0.25

/** Draws the dividers in the colour, width and dashes of the border before them, as the programs that make forms do. */
function dividers({ width, height, borderWidth }: WidgetFrame, cells: number): readonly string[] {
  if (cells > cellsMax || (width / cells) * dividerShareMax < borderWidth) return []
  return Array.from({ length: cells - 1 }, (_, index) => {
    const x = ((index + 1) * width) / cells
    return `${numbers(x, borderWidth)} m ${numbers(x, height - borderWidth)} l S`
  })
}

/** Colours of bevelled and inset edges, with light from the top left. */
const edgeColors: Readonly<Partial<Record<BorderStyle, readonly [lit: Color, shaded: Color]>>> = {
  beveled: ['#ffffff', '#808080'],
  inset: ['#808080', '#c0c0c0'],
}

function edges({ width, height, borderWidth: border }: WidgetFrame, lit: Color, shaded: Color): readonly string[] {
  const inner = 2 * border
  const topLeft = [
    [border, border],
    [border, height - border],
    [width - border, height - border],
    [width - inner, height - inner],
    [inner, height - inner],
    [inner, inner],
  ]
  const bottomRight = [
    [width - border, height - border],
    [width - border, border],
    [border, border],
    [inner, inner],
    [width - inner, inner],
    [width - inner, height - inner],
  ]
  return [`${fillColor(lit)} ${polygon(topLeft)} f`, `${fillColor(shaded)} ${polygon(bottomRight)} f`]
}

const polygon = (points: readonly (readonly number[])[]): string =>
  `${points.map((point, index) => `${numbers(...point)} ${index === 0 ? 'm' : 'l'}`).join(' ')} h`
