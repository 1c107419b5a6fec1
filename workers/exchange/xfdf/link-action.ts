// Writes the target of a link as the action of its element: an address, or a view of a page.
import type { AnnotationSource } from '../../annotations/reading/annotation-source.js'
import type { LinkAnnotation } from '../../contract/annotations/link.js'
import { inFile, numbersOf, viewAttribute, viewNames, viewNumbers } from '../../targets/views.js'
import type { XmlOutput } from '../xml/write-xml.js'
import { numberText } from './written-values.js'

/** Returns no element for targets that XFDF cannot express. */
export function linkActionOf(source: AnnotationSource, { target }: LinkAnnotation): readonly XmlOutput[] {
  const action = target?.kind === 'uri' ? { name: 'URI', attributes: { Name: target.uri } } : gotoOf(source, target)
  if (action === undefined) return []
  return [{ name: 'OnActivation', children: [{ name: 'Action', attributes: { Trigger: 'U' }, children: [action] }] }]
}

function gotoOf({ reading }: AnnotationSource, target: LinkAnnotation['target']): XmlOutput | undefined {
  if (target?.kind !== 'goto') return undefined
  const { destination } = target
  const index = reading.document.pages.indexOf(destination.page.objectNumber)
  if (index < 0) return undefined
  const space = reading.spaceOf(destination.page.objectNumber)
  const numbers = numbersOf(destination)
  const place = viewNumbers[destination.kind].flatMap((name) => {
    const value = numbers?.[name] ?? null
    return value === null ? [] : [[viewAttribute(name), numberText(inFile(space, name, value))] as const]
  })
  const attributes = { Page: String(index), ...Object.fromEntries(place) }
  return { name: 'GoTo', children: [{ name: 'Dest', children: [{ name: viewNames[destination.kind], attributes }] }] }
}
