// Attributes and child elements of annotations in XFDF, by subtype. Most are entries of the annotation under another
// name, in the same coordinates: those of the file.
import type { AnnotationSource } from '../../annotations/reading/annotation-source.js'
import type { Annotation } from '../../contract/annotations/annotation.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { booleanOf, elementsOf, entry, nameOf, numbersOf, textOf } from '../../objects/values.js'
import type { XmlOutput } from '../xml/write-xml.js'
import { borderAttributes } from './border-attributes.js'
import { linkActionOf } from './link-action.js'
import { caretAttributes, linkAttributes } from './unlisted-look.js'
import { alignWords } from './words.js'
import {
  type Attributes,
  colorIn,
  listIn,
  listText,
  nameIn,
  numberIn,
  numbersIn,
  numberText,
  pointsText,
} from './written-values.js'

export interface AnnotationContent {
  readonly attributes: Attributes
  readonly children: readonly XmlOutput[]
}

type Write = (source: AnnotationSource, annotation: Annotation) => Partial<AnnotationContent>

const marks: Write = ({ object }) => ({
  attributes: { coords: listIn(object, 'QuadPoints'), IT: nameIn(object, 'IT') },
})

const boxes: Write = (source) => ({
  attributes: { ...borderOf(source), ...fillOf(source), ...fringeOf(source), ...rotationOf(source) },
})

const vertices: Write = (source) => ({
  attributes: {
    ...borderOf(source),
    ...fillOf(source),
    ...rotationOf(source),
    ...endingsOf(source),
    ...captionOf(source),
    IT: nameIn(source.object, 'IT'),
  },
  children: [{ name: 'vertices', children: [pointsText(verticesOf(source))] }],
})

const writers: Readonly<Record<string, Write>> = {
  text: ({ object }) => ({
    attributes: {
      icon: nameIn(object, 'Name'),
      state: textOf(entry(object, 'State')),
      statemodel: textOf(entry(object, 'StateModel')),
    },
  }),
  highlight: marks,
  underline: marks,
  squiggly: marks,
  strikeout: marks,
  caret: (source) => ({
    attributes: {
      ...fringeOf(source),
      ...rotationOf(source),
      ...caretAttributes(source.object),
      IT: nameIn(source.object, 'IT'),
    },
  }),
  circle: boxes,
  square: boxes,
  line: (source) => ({
    attributes: {
      ...borderOf(source),
      ...fillOf(source),
      ...rotationOf(source),
      ...endingsOf(source),
      ...lineOf(source),
    },
  }),
  polygon: vertices,
  polyline: vertices,
  ink: (source) => ({
    attributes: { ...borderOf(source), ...rotationOf(source), IT: nameIn(source.object, 'IT') },
    children: [{ name: 'inklist', children: gesturesOf(source) }],
  }),
  'free-text': (source, annotation) => ({
    attributes: {
      ...borderOf(source),
      ...fringeOf(source),
      ...rotationOf(source),
      ...textAlignOf(annotation),
      IT: nameIn(source.object, 'IT'),
      callout: listIn(source.object, 'CL'),
      head: annotation.subtype === 'free-text' && annotation.lineEnding ? calloutEnding(source) : undefined,
    },
    children: textLookOf(source),
  }),
  stamp: (source) => ({ attributes: { ...rotationOf(source), icon: nameIn(source.object, 'Name') } }),
  'file-attachment': ({ object }, annotation) => ({
    attributes: {
      icon: nameIn(object, 'Name'),
      file: annotation.subtype === 'file-attachment' ? annotation.file?.name : undefined,
    },
  }),
  redact: ({ object }, annotation) => ({
    attributes: {
      coords: listIn(object, 'QuadPoints'),
      'interior-color': colorIn(object, 'IC'),
      'overlay-text': textOf(entry(object, 'OverlayText')),
      'overlay-text-repeat': booleanOf(entry(object, 'Repeat')) === true ? 'yes' : undefined,
      ...textAlignOf(annotation),
    },
    children: textLookOf({ object }),
  }),
  link: (source, annotation) => ({
    attributes: linkAttributes(source.object),
    children: annotation.subtype === 'link' ? linkActionOf(source, annotation) : [],
  }),
}

/** Returns what only annotations of this subtype have. */
export function contentOf(source: AnnotationSource, annotation: Annotation): AnnotationContent {
  return { attributes: {}, children: [], ...writers[annotation.subtype]?.(source, annotation) }
}

type WithObject = Pick<AnnotationSource, 'object'>

const borderOf = ({ object }: WithObject): Attributes => borderAttributes(object)
const fillOf = ({ object }: WithObject): Attributes => ({ 'interior-color': colorIn(object, 'IC') })
const fringeOf = ({ object }: WithObject): Attributes => ({ fringe: listIn(object, 'RD') })
const rotationOf = ({ object }: WithObject): Attributes => ({ rotation: numberIn(object, 'Rotate') })

const endingsOf = ({ object }: WithObject): Attributes => ({
  head: nameOf(entry(object, 'LE', 0)),
  tail: nameOf(entry(object, 'LE', 1)),
})

const calloutEnding = ({ object }: WithObject): string | undefined =>
  nameOf(entry(object, 'LE')) ?? nameOf(entry(object, 'LE', 0))

const captionOf = ({ object }: WithObject): Attributes => ({
  caption: booleanOf(entry(object, 'Cap')) === true ? 'yes' : undefined,
})

function lineOf({ object }: WithObject): Attributes {
  const [x1, y1, x2, y2] = numbersIn(object, 'L') ?? []
  const [along, perpendicular] = numbersIn(object, 'CO') ?? []
  return {
    start: x1 === undefined || y1 === undefined ? undefined : listText([x1, y1]),
    end: x2 === undefined || y2 === undefined ? undefined : listText([x2, y2]),
    ...captionOf({ object }),
    'caption-style': nameIn(object, 'CP'),
    'caption-offset-h': along === undefined ? undefined : numberText(along),
    'caption-offset-v': perpendicular === undefined ? undefined : numberText(perpendicular),
    leaderLength: numberIn(object, 'LL'),
    leaderExtend: numberIn(object, 'LLE'),
    leaderOffset: numberIn(object, 'LLO'),
    IT: nameIn(object, 'IT'),
  }
}

function verticesOf({ object }: WithObject): readonly number[] {
  const numbers = numbersIn(object, 'Vertices')
  if (numbers !== undefined) return numbers
  const segments = [...elementsOf(entry(object, 'Path'), readingLimits.numbersMax)]
  return segments.flatMap((segment) => (numbersOf(segment, 6) ?? []).slice(-2))
}

const gesturesOf = ({ reading, object }: AnnotationSource): readonly XmlOutput[] =>
  [...elementsOf(entry(object, 'InkList'), readingLimits.numbersMax)].flatMap((stroke) => {
    const numbers = reading.numbers(stroke) ?? []
    return numbers.length < 2 ? [] : [{ name: 'gesture', children: [pointsText(numbers)] }]
  })

const textAlignOf = (annotation: Annotation): Attributes =>
  'textAlign' in annotation ? { justification: alignWords[annotation.textAlign] } : {}

function textLookOf({ object }: WithObject): readonly XmlOutput[] {
  const [appearance, style] = [textOf(entry(object, 'DA')), textOf(entry(object, 'DS'))]
  return [
    ...(appearance === undefined ? [] : [{ name: 'defaultappearance', children: [appearance] }]),
    ...(style === undefined ? [] : [{ name: 'defaultstyle', children: [style] }]),
  ]
}
