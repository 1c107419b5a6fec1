// Writes members that several subtypes share.

import type { PolygonAnnotation } from '../../contract/annotations/polygon.js'
import type { Border, Colour, Fill } from '../../contract/annotations/shared-members.js'
import type { Color } from '../../contract/color.js'
import type { LineEnding, LineEndings } from '../../contract/line-ending.js'
import type { Measurement } from '../../contract/measurement.js'
import type { PageQuad } from '../../contract/page-quad.js'
import type { StandardFont } from '../../contract/standard-font.js'
import type { ParagraphAlign } from '../../contract/text-align.js'
import type { PageSpace } from '../../document/page-space.js'
import { ownKeys } from '../../objects/own-keys.js'
import { measureDictionary } from '../../pages/measure-dictionary.js'
import { components, numbers } from '../../text/content-operands.js'
import { aliasOf } from '../drawing/alias.js'
import {
  ensureDictionary,
  numbersOfPoints,
  putBoolean,
  putColor,
  putName,
  putNumber,
  putNumbers,
  putPoints,
  putText,
  type Target,
  wordFor,
} from '../entries.js'
import { lineEndings } from '../reading/line-endings.js'
import { borderStyles } from '../reading/shared-members.js'
import { aligns } from '../reading/text-look.js'
import { clockwise } from '../reading/turns.js'
import { group, type MemberGroup } from './member-group.js'

export const opacityGroup: MemberGroup<{ readonly opacity: number }> = group(['opacity'], ({ opacity }, written) =>
  putNumber(written, 'CA', opacity === 1 ? null : opacity),
)

export const colourGroups: readonly MemberGroup<Colour>[] = [
  group(['color'], ({ color }, written) => putColor(written, 'C', color)),
  opacityGroup,
]

export const borderGroup: MemberGroup<Border> = group(
  ['strokeWidth', 'borderStyle', 'dashArray'],
  ({ strokeWidth, borderStyle, dashArray }, written) => {
    const { pdf } = written.change
    const style = ensureDictionary(written, 'BS')
    style.put('Type', pdf.newName('Border'))
    style.put('W', strokeWidth)
    style.put('S', pdf.newName(wordFor(borderStyles, borderStyle) ?? 'S'))
    if (borderStyle === 'dashed' && dashArray !== null) style.put('D', [...dashArray])
    else style.delete('D')
    written.object.delete('Border')
  },
)

export const interiorGroup: MemberGroup<Pick<Fill, 'interiorColor'>> = group(
  ['interiorColor'],
  ({ interiorColor }, written) => putColor(written, 'IC', interiorColor),
)

export const fillGroups = [...colourGroups, borderGroup, interiorGroup] as const

/** The rectangle is written with the drawing, whose bounds determine it. */
export const rotationGroup: MemberGroup<{ readonly rotation: number | null }> = group(
  ['rotation'],
  ({ rotation }, written) => putNumber(written, 'Rotate', rotation === null ? null : clockwise(rotation)),
)

export const cloudGroup: MemberGroup<{ readonly cloudyIntensity: number | null }> = group(
  ['cloudyIntensity'],
  ({ cloudyIntensity }, written) => {
    if (cloudyIntensity === null) written.object.delete('BE')
    else written.object.put('BE', { S: written.change.pdf.newName('C'), I: cloudyIntensity })
  },
)

export const verticesGroup: MemberGroup<Pick<PolygonAnnotation, 'vertices'>> = group(
  ['vertices'],
  ({ vertices }, written) => {
    putPoints(written, 'Vertices', vertices)
    written.object.delete('Path')
  },
)

export const captionGroups: readonly MemberGroup<Pick<PolygonAnnotation, 'captionEnabled' | 'captionCenter'>>[] = [
  group(['captionEnabled'], ({ captionEnabled }, written) => putBoolean(written, 'Cap', captionEnabled)),
  group(['captionCenter'], ({ captionCenter }, written) =>
    putPoints(written, ownKeys.captionCenter, captionCenter === null ? null : [captionCenter]),
  ),
]

export const measureGroup: MemberGroup<{ readonly measure: Measurement | null }> = group(
  ['measure'],
  ({ measure }, written) => {
    const { change, object, space } = written
    if (measure?.subtype === 'rectilinear')
      object.put('Measure', measureDictionary(measure, { pdf: change.pdf, space }))
    else if (measure === null) object.delete('Measure')
  },
)

export const endingsGroup: MemberGroup<{ readonly lineEndings: LineEndings }> = group(
  ['lineEndings'],
  ({ lineEndings: ends }, written) => {
    const { pdf } = written.change
    written.object.put(
      'LE',
      [ends.start, ends.end].map((end) => pdf.newName(endingName(end))),
    )
  },
)

export const endingName = (ending: LineEnding): string => wordFor(lineEndings, ending) ?? 'None'

/** Writes corners in a Z from the upper left, as all readers expect. */
export function putQuads(target: Target, quads: readonly PageQuad[] | null): void {
  putNumbers(target, 'QuadPoints', quads === null ? null : quads.flatMap((quad) => quadNumbers(target.space, quad)))
}

export const quadsGroup: MemberGroup<{ readonly quadPoints: readonly PageQuad[] }> = group(
  ['quadPoints'],
  ({ quadPoints }, written) => putQuads(written, quadPoints),
)

const quadNumbers = (space: PageSpace, { upperLeft, upperRight, lowerLeft, lowerRight }: PageQuad): number[] =>
  numbersOfPoints(space, [upperLeft, upperRight, lowerLeft, lowerRight])

export const intentGroup = <Intent extends string>(
  names: Readonly<Record<string, Intent | null>>,
): MemberGroup<{ readonly intent: Intent | null }> =>
  group(['intent'], ({ intent }, written) => putName(written, 'IT', intent === null ? null : wordFor(names, intent)))

interface TextLayout {
  readonly fontFamily: StandardFont
  readonly fontSize: number
  readonly fontColor: Color
}

/** Writes the default appearance. `lineColor`: colour of drawn lines; undefined if no lines are drawn. */
export function putDefaultAppearance(
  target: Target,
  { fontFamily, fontSize, fontColor }: TextLayout,
  lineColor?: Color,
): void {
  const line = lineColor === undefined ? '' : ` ${numbers(...components(lineColor))} RG`
  putText(
    target,
    'DA',
    `/${aliasOf(fontFamily)} ${numbers(fontSize)} Tf ${numbers(...components(fontColor))} rg${line}`,
  )
}

/** Writes /Q, which has no word for justified text. */
export const putAlign = (target: Target, align: ParagraphAlign): void =>
  putNumber(target, 'Q', align === 'justify' ? 0 : aligns.indexOf(align))
