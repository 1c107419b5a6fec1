// Writes the target of a link as the action of its element: an address, or a view of a page.
import type { AnnotationSource } from '../../annotations/reading/annotation-source.js'
import type { LinkAnnotation } from '../../contract/annotations/link.js'
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
  const attributes = { Page: String(index) }
  if (destination.kind !== 'xyz') return view({ name: 'Fit', attributes })
  const { left = null, top = null, zoom = null } = destination
  const { x, y } = reading.spaceOf(destination.page.objectNumber).toUserPoint({ x: left ?? 0, y: top ?? 0 })
  const place = { Left: textOf(left === null ? null : x), Top: textOf(top === null ? null : y), Zoom: textOf(zoom) }
  return view({ name: 'XYZ', attributes: { ...attributes, ...place } })
}

const view = (one: XmlOutput): XmlOutput => ({ name: 'GoTo', children: [{ name: 'Dest', children: [one] }] })

const textOf = (value: number | null): string | undefined => (value === null ? undefined : numberText(value))
