// Writes the annotations of a document as elements of XFDF, in the order of pages and of stacking. Widgets are fields;
// popups are part of the annotation that they belong to; subtypes without an element are left out.
import type { AnnotationSource } from '../../annotations/reading/annotation-source.js'
import { readAnnotation } from '../../annotations/reading/list.js'
import { type AnnotationEntry, PageAnnotations } from '../../annotations/reading/page-annotations.js'
import { plainLookOf, richTextOf } from '../../annotations/reading/text-members.js'
import { richTextSource } from '../../annotations/rich-text.js'
import { annotationKey } from '../../contract/annotation-ref.js'
import type { Reading } from '../../document/reading.js'
import { booleanOf, entry, nameOf, textOf } from '../../objects/values.js'
import type { Markup, XmlOutput } from '../xml/write-xml.js'
import { contentOf } from './annotation-attributes.js'
import { elementOf } from './words.js'
import { type Attributes, colorIn, dateIn, flagsIn, listIn, numberIn } from './written-values.js'

export function annotationElements(reading: Reading): readonly XmlOutput[] {
  return reading.document.pages.flatMap((page, index) => elementsOfPage(reading, page, index))
}

function elementsOfPage(reading: Reading, page: number, index: number): readonly XmlOutput[] {
  const siblings = new PageAnnotations(reading, page)
  const context = { reading, space: reading.spaceOf(page), siblings }
  const answered = new Set(
    siblings.entries.flatMap(({ object }) => {
      const to = siblings.refOf(entry(object, 'IRT'))
      return to === undefined ? [] : [annotationKey(to)]
    }),
  )
  return siblings.entries.flatMap((found) => {
    const isAnswered = answered.has(annotationKey(found.ref))
    return elementOfAnnotation({ ...found, ...context }, { page: String(index), isAnswered, siblings })
  })
}

interface ElementContext {
  /** Index of the page. */
  readonly page: string
  /** True if another annotation replies to this one, so that it needs a name. */
  readonly isAnswered: boolean
  readonly siblings: PageAnnotations
}

function elementOfAnnotation(source: AnnotationSource, context: ElementContext): readonly XmlOutput[] {
  const annotation = readAnnotation(source)
  const name = elementOf(annotation.subtype)
  if (name === undefined) return []
  const { attributes, children } = contentOf(source, annotation)
  const { contents } = annotation
  const written: (XmlOutput | undefined)[] = [
    contents === null || contents === '' ? undefined : { name: 'contents', children: [contents] },
    richElement(source),
    ...children,
    popupElement(source, context),
  ]
  return [
    {
      name,
      attributes: { ...commonAttributes(source, context), ...attributes },
      children: written.filter((child) => child !== undefined),
    },
  ]
}

function commonAttributes(source: AnnotationSource, { page, isAnswered, siblings }: ElementContext): Attributes {
  const { object, ref } = source
  const text = (key: string) => textOf(entry(object, key))
  const answered = siblings.refOf(entry(object, 'IRT'))
  const to = answered && siblings.entryOf(answered)
  return {
    page,
    rect: listIn(object, 'Rect'),
    color: colorIn(object, 'C'),
    flags: flagsIn(object),
    name: text('NM') ?? (isAnswered ? annotationKey(ref) : undefined),
    title: text('T'),
    subject: text('Subj'),
    date: dateIn(object, 'M'),
    creationdate: dateIn(object, 'CreationDate'),
    opacity: numberIn(object, 'CA'),
    ...(to && { inreplyto: nameOfEntry(to), replyType: nameOf(entry(object, 'RT')) === 'Group' ? 'group' : undefined }),
  }
}

const nameOfEntry = ({ ref, object }: AnnotationEntry): string => textOf(entry(object, 'NM')) ?? annotationKey(ref)

/** Rich text is parsed and written again, because a file may contain text that is not well-formed. */
function richElement(source: AnnotationSource): XmlOutput | undefined {
  const text = richTextOf(source, plainLookOf(source))
  if (text === null) return undefined
  const body: Markup = { markup: richTextSource(text).replace(/^<\?xml[^>]*\?>/, '') }
  return { name: 'contents-richtext', children: [body] }
}

function popupElement({ ref }: AnnotationSource, { page, siblings }: ElementContext): XmlOutput | undefined {
  const popup = siblings.popupOf(ref)
  const object = popup && siblings.entryOf(popup)?.object
  if (object === undefined || object === null) return undefined
  const open = booleanOf(entry(object, 'Open')) === true ? 'yes' : 'no'
  return { name: 'popup', attributes: { page, rect: listIn(object, 'Rect'), flags: flagsIn(object), open } }
}
