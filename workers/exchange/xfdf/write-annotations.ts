// Writes the annotations of a document as elements of XFDF, in the order of pages and of stacking. Widgets are fields;
// popups are part of the annotation that they belong to; subtypes without an element are left out.
import type { AnnotationSource } from '../../annotations/reading/annotation-source.js'
import { readAnnotation } from '../../annotations/reading/list.js'
import { PageAnnotations } from '../../annotations/reading/page-annotations.js'
import { plainLookOf, richTextOf } from '../../annotations/reading/text-members.js'
import { richTextSource } from '../../annotations/rich-text.js'
import type { Reading } from '../../document/reading.js'
import { booleanOf, entry, nameOf, textOf } from '../../objects/values.js'
import type { Markup, XmlOutput } from '../xml/write-xml.js'
import { contentOf } from './annotation-attributes.js'
import { type AnnotationNames, PageNames } from './annotation-names.js'
import { elementOf, identityAttribute } from './words.js'
import { type Attributes, colorIn, dateIn, flagsIn, listIn, numberIn } from './written-values.js'

export function annotationElements(reading: Reading, names: AnnotationNames): readonly XmlOutput[] {
  return reading.document.pages.flatMap((page, index) => {
    const siblings = new PageAnnotations(reading, page)
    const source = { reading, space: reading.spaceOf(page), siblings }
    const context = { page: String(index), names: new PageNames(siblings.entries, names), siblings }
    return siblings.entries.flatMap((found) => elementOfAnnotation({ ...found, ...source }, context))
  })
}

interface ElementContext {
  /** Index of the page. */
  readonly page: string
  readonly names: PageNames
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

function commonAttributes(source: AnnotationSource, { page, names, siblings }: ElementContext): Attributes {
  const { object } = source
  const text = (key: string) => textOf(entry(object, key))
  const answered = siblings.refOf(entry(object, 'IRT'))
  const to = answered && siblings.entryOf(answered)
  return {
    page,
    rect: listIn(object, 'Rect'),
    color: colorIn(object, 'C'),
    flags: flagsIn(object),
    name: names.nameOf(source),
    [identityAttribute]: names.identityOf(source),
    title: text('T'),
    subject: text('Subj'),
    date: dateIn(object, 'M'),
    creationdate: dateIn(object, 'CreationDate'),
    opacity: numberIn(object, 'CA'),
    ...(to && {
      inreplyto: names.nameOf(to),
      replyType: nameOf(entry(object, 'RT')) === 'Group' ? 'group' : undefined,
    }),
  }
}

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
