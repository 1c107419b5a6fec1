// Reads an annotation of an XFDF file as the members of a create, and names what it cannot take.

import { flagNames } from '../../annotations/reading/common.js'
import { quadsIn } from '../../annotations/reading/quads.js'
import { clockwise } from '../../annotations/reading/turns.js'
import type { WritableName } from '../../contract/annotations/writable.js'
import { isoOfPdfDate } from '../../contract/pdf-dates.js'
import type { PageSpace } from '../../document/page-space.js'
import { elementsIn, textIn, type XmlTree } from '../xml/xml-tree.js'
import { ElementReader, placeIn, UnusableElement } from './element-reader.js'
import { freeTextMembers, textLookOf } from './read-free-text.js'
import { type LinkPlaces, targetOf } from './read-link.js'
import { borderMembers, boxMembers, cloudMembers, endingMembers, type Members, rectMembers } from './read-shapes.js'
import { plainRichText } from './rich-text-markup.js'
import { type UnlistedLook, unlistedLook } from './unlisted-look.js'
import { type UnstatedColor, unstatedColor } from './unstated-color.js'
import { flagWords, identityAttribute, wireWord } from './words.js'

export interface ReadElement extends UnstatedColor {
  readonly subtype: WritableName
  /** Members of the annotation without its name, its reply and its author. */
  readonly members: Members
  readonly look: UnlistedLook
  readonly author: string | undefined
  readonly createdAt: string | null
  readonly modifiedAt: string | null
  readonly replyType: 'reply' | 'group'
  /** Rectangle and state of the popup; undefined if there is none. */
  readonly popup: Members | undefined
  readonly ignored: readonly string[]
}

type Context = LinkPlaces & { readonly space: PageSpace }
type Read = (reader: ElementReader, context: Context) => Members

const colour = (reader: ElementReader): Members => given({ color: reader.color('color') })
const fill = (reader: ElementReader): Members => given({ interiorColor: reader.color('interior-color') })

const mark: Read = (reader, { space }) => ({ ...colour(reader), quadPoints: quads(reader, space) ?? missing('coords') })

const boxed: Read = (reader, { space }) => ({
  ...colour(reader),
  ...fill(reader),
  ...cloudMembers(reader),
  ...borderMembers(reader),
  ...boxMembers(reader, space),
})

const vertices: Read = (reader, { space }) => ({
  ...colour(reader),
  ...fill(reader),
  ...borderMembers(reader),
  ...turn(reader),
  ...given({ captionEnabled: reader.flag('caption') }),
  ...intent(reader, ['polygon-cloud', 'polygon-dimension', 'polyline-dimension']),
  vertices: space.toPagePoints(placeIn(reader.childText('vertices') ?? missing('vertices'), 'vertices')),
})

const readers: Readonly<Record<Exclude<WritableName, 'popup'>, Read>> = {
  text: (reader, { space }) => ({
    ...colour(reader),
    ...rectMembers(reader, space),
    ...given({ icon: reader.word('icon', iconOf), state: reader.text('state'), stateModel: reader.text('statemodel') }),
  }),
  highlight: mark,
  underline: mark,
  squiggly: mark,
  strikeout: (reader, context) => ({ ...mark(reader, context), ...intent(reader, ['strikeout-text-edit']) }),
  caret: (reader, { space }) => ({ ...colour(reader), ...boxMembers(reader, space), ...intent(reader, ['replace']) }),
  circle: boxed,
  square: boxed,
  line: (reader, { space }) => ({
    ...colour(reader),
    ...fill(reader),
    ...borderMembers(reader),
    ...turn(reader),
    ...endingMembers(reader),
    ...lineMembers(reader, space),
  }),
  polygon: (reader, context) => ({ ...cloudMembers(reader), ...vertices(reader, context) }),
  polyline: (reader, context) => ({ ...endingMembers(reader), ...vertices(reader, context) }),
  ink: (reader, { space }) => ({
    ...colour(reader),
    ...borderMembers(reader),
    ...turn(reader),
    ...intent(reader, ['ink-highlight']),
    inkList: elementsIn(reader.child('inklist') ?? missing('inklist')).map((gesture) =>
      space.toPagePoints(placeIn(textIn(gesture), 'gesture')),
    ),
  }),
  'free-text': (reader, { space }) => ({
    ...given({ interiorColor: reader.color('color') }),
    ...cloudMembers(reader),
    ...borderMembers(reader),
    ...boxMembers(reader, space),
    ...freeTextMembers(reader, space),
    ...intent(reader, ['free-text', 'free-text-callout']),
  }),
  stamp: (reader, { space }) => ({ ...boxMembers(reader, space), ...given({ name: reader.text('icon') }) }),
  'file-attachment': (reader, { space }) => ({
    ...colour(reader),
    ...rectMembers(reader, space),
    ...given({ icon: reader.word('icon', iconOf) }),
  }),
  redact: (reader, { space }) => {
    const quadPoints = quads(reader, space)
    return {
      ...colour(reader),
      ...fill(reader),
      ...(quadPoints === undefined ? rectMembers(reader, space) : { quadPoints }),
      ...given({ overlayText: reader.text('overlay-text'), repeat: reader.flag('overlay-text-repeat') }),
      ...textLookOf(reader, 0),
    }
  },
  link: (reader, context) => ({
    ...rectMembers(reader, context.space),
    ...given({ target: targetOf(reader, context) }),
  }),
}

/** Throws `UnusableElement` if the annotation cannot be created from the element. */
export function readAnnotationElement(
  element: XmlTree,
  subtype: Exclude<WritableName, 'popup'>,
  context: Context,
): ReadElement {
  const reader = new ElementReader(element)
  for (const name of ['page', 'rect', 'name', identityAttribute, 'inreplyto']) reader.text(name)
  const members = { ...readers[subtype](reader, context), ...commonMembers(reader, subtype) }
  const look = unlistedLook(reader, subtype)
  const [createdAt, modifiedAt] = ['creationdate', 'date'].map((name) =>
    reader.word(name, (text) => isoOfPdfDate(text) ?? undefined),
  )
  const replyType = reader.word('replyType', (word) => (({ reply: 'reply', group: 'group' }) as const)[word])
  return {
    subtype,
    members,
    look,
    author: reader.text('title'),
    createdAt: createdAt ?? null,
    modifiedAt: modifiedAt ?? null,
    replyType: replyType ?? 'reply',
    popup: popupOf(reader, context),
    ...unstatedColor(element, subtype),
    ignored: reader.ignored,
  }
}

function commonMembers(reader: ElementReader, subtype: WritableName): Members {
  const hasOpacity = subtype !== 'stamp' && subtype !== 'link' && subtype !== 'redact'
  return {
    ...given({
      contents: contentsOf(reader, subtype),
      subject: reader.text('subject'),
      opacity: hasOpacity ? reader.number('opacity', (value) => value >= 0 && value <= 1) : undefined,
    }),
    ...flagMembers(reader),
  }
}

function flagMembers(reader: ElementReader): Members {
  const flags = reader.text('flags')
  if (flags === undefined) return {}
  const words = flags
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
  if (words.some((word) => word !== '' && !flagWords.includes(word))) reader.ignore('flags')
  return Object.fromEntries(flagNames.map((name, place) => [name, words.includes(flagWords[place] ?? '')]))
}

function contentsOf(reader: ElementReader, subtype: WritableName): string | undefined {
  const contents = reader.childText('contents') ?? reader.text('contents')
  if (subtype === 'free-text') return contents
  const rich = reader.child('contents-richtext')
  if (rich === undefined) return contents
  // Styles of a comment have no member, so that only its text is taken.
  reader.ignore('<contents-richtext>')
  return contents ?? plainRichText(rich)
}

function popupOf(reader: ElementReader, { space }: Context): Members | undefined {
  const element = reader.child('popup')
  if (element === undefined) return undefined
  try {
    const popup = new ElementReader(element)
    return { ...rectMembers(popup, space), ...flagMembers(popup), open: popup.flag('open') ?? false }
  } catch (error) {
    if (error instanceof UnusableElement) return reader.ignore('<popup>')
    throw error
  }
}

function lineMembers(reader: ElementReader, space: PageSpace): Members {
  const [start, end] = [reader.place('start', 2), reader.place('end', 2)]
  const [from, to] = space.toPagePoints([...(start ?? missing('start')), ...(end ?? missing('end'))])
  const length = reader.number('leaderLength')
  const [extension, offset] = [reader.number('leaderExtend'), reader.number('leaderOffset')]
  const along = reader.number('caption-offset-h')
  const perpendicular = reader.number('caption-offset-v')
  const style = reader.word('caption-style', (word) => ({ Inline: 'inline', Top: 'top' })[word])
  return {
    linePoints: { start: from, end: to },
    ...given({ captionEnabled: reader.flag('caption'), captionPosition: style }),
    ...(along !== undefined && perpendicular !== undefined && { captionOffset: { along, perpendicular } }),
    ...(length !== undefined && { leader: { length, ...given({ extension, offset }) } }),
    ...intent(reader, ['line-arrow', 'line-dimension']),
  }
}

function quads(reader: ElementReader, space: PageSpace) {
  const numbers = reader.place('coords') ?? []
  if (numbers.length % 8 !== 0) throw new UnusableElement('coords must have 8 numbers for each quad')
  return numbers.length === 0 ? undefined : quadsIn(numbers, space)
}

/** Rotation of a shape that is drawn turned about the centre of its points. */
function turn(reader: ElementReader): Members {
  const degrees = reader.number('rotation')
  return degrees === undefined ? {} : { rotation: clockwise(degrees) }
}

const intent = (reader: ElementReader, known: readonly string[]): Members =>
  given({ intent: reader.word('IT', (name) => known.find((word) => word === wireWord(name))) })

/** Icons of notes and of attached files; the contract of the subtype tells them apart. */
const iconOf = (name: string): string | undefined => (icons.has(wireWord(name)) ? wireWord(name) : undefined)
const icons: ReadonlySet<string> = new Set([
  ...['comment', 'key', 'note', 'help', 'new-paragraph', 'paragraph', 'insert'],
  ...['push-pin', 'paperclip', 'graph', 'tag'],
])

const given = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

function missing(name: string): never {
  throw new UnusableElement(`${name} is missing`)
}
