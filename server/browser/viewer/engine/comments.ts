// Comments of a layer: annotations with what people answered to them.

import type { AnnotationCommon } from '../../../../workers/contract/annotations/common.js'
import type { TextName } from '../../shared/texts.js'
import { annotationKey } from './annotation-key.js'
import type { OpenedDocument } from './opened-document.js'

export interface Comment extends AnnotationCommon {
  readonly subtype: string
  readonly state?: string | null
}

export interface Thread {
  readonly key: string
  readonly comment: Comment
  readonly replies: readonly Comment[]
}

/** Subtypes that people do not comment with. */
const silent: ReadonlySet<string> = new Set(['link', 'widget', 'popup'])

const kinds: Readonly<Record<string, TextName>> = {
  text: 'kindText',
  'free-text': 'kindFreeText',
  highlight: 'kindHighlight',
  underline: 'kindUnderline',
  strikeout: 'kindStrikeout',
  squiggly: 'kindSquiggly',
  caret: 'kindCaret',
  ink: 'kindInk',
  line: 'kindShape',
  square: 'kindShape',
  circle: 'kindShape',
  polygon: 'kindShape',
  polyline: 'kindShape',
  stamp: 'kindStamp',
  'file-attachment': 'kindFile',
  redact: 'kindRedact',
}

/** Returns the name of what an annotation is. */
export const kindOf = (subtype: string): TextName => kinds[subtype] ?? 'kindOther'

/** Returns the threads in the order of the pages. */
export async function threadsOf(opened: OpenedDocument, signal: AbortSignal): Promise<readonly Thread[]> {
  const { annotations } = await opened.json<{ readonly annotations: readonly Comment[] }>('annotations/items', {
    signal,
  })
  const shown = annotations.filter(({ subtype, state }) => !silent.has(subtype) && !state)
  const known = new Set(shown.map(keyOf))
  const isReply = ({ reply }: Comment): boolean => reply !== null && known.has(annotationKey(reply.to))
  return shown
    .filter((comment) => !isReply(comment))
    .map((comment) => ({ key: keyOf(comment), comment, replies: repliesTo(comment, shown) }))
    .toSorted((one, other) => placeOf(opened, one) - placeOf(opened, other))
}

/** Returns the replies that a comment has now, and those to them. */
export async function answersTo(opened: OpenedDocument, comment: Pick<Comment, 'ref'>): Promise<readonly Comment[]> {
  const { annotations } = await opened.json<{ readonly annotations: readonly Comment[] }>('annotations/items')
  return repliesTo(comment, annotations)
}

/** Returns the replies to a comment and to its replies, oldest first. */
export function repliesTo(comment: Pick<Comment, 'ref'>, all: readonly Comment[]): readonly Comment[] {
  const found: Comment[] = []
  const wanted = [keyOf(comment)]
  for (const key of wanted) {
    for (const one of all) {
      if (one.reply?.type !== 'reply' || annotationKey(one.reply.to) !== key || found.includes(one)) continue
      found.push(one)
      wanted.push(keyOf(one))
    }
  }
  return found.toSorted((one, other) => ((one.createdAt ?? '') < (other.createdAt ?? '') ? -1 : 1))
}

const keyOf = ({ ref }: Pick<Comment, 'ref'>): string => annotationKey(ref)
const placeOf = (opened: OpenedDocument, { comment }: Thread): number => opened.indexOf(comment.page.objectNumber) ?? 0
