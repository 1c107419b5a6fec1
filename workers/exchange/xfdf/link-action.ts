// Writes the target of a link as the action of its element: an address, or a view of a page.
import type { AnnotationSource } from '../../annotations/reading/annotation-source.js'
import type { LinkAnnotation } from '../../contract/annotations/link.js'
import type { PageSpace } from '../../document/page-space.js'
import type { XmlOutput } from '../xml/write-xml.js'
import { attributeOf, isAcross, linkViews, type ViewMember } from './link-views.js'
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
  const view = linkViews.find(({ kind }) => kind === destination.kind)
  if (view === undefined) return undefined
  const values = new Map<string, unknown>(Object.entries(destination))
  const place = view.members.flatMap((member) => {
    const value = values.get(member)
    return typeof value === 'number' ? [[attributeOf(member), numberText(inFile(space, member, value))] as const] : []
  })
  const attributes = { Page: String(index), ...Object.fromEntries(place) }
  return { name: 'GoTo', children: [{ name: 'Dest', children: [{ name: view.element, attributes }] }] }
}

function inFile(space: PageSpace, member: ViewMember, value: number): number {
  if (member === 'zoom') return value
  return isAcross(member) ? space.toUserPoint({ x: value, y: 0 }).x : space.toUserPoint({ x: 0, y: value }).y
}
