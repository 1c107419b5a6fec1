// Reads the action of a link element: an address, or a view of a page.
import type { LinkTarget } from '../../contract/link-target.js'
import { pageRef } from '../../contract/page-ref.js'
import type { PageSpace } from '../../document/page-space.js'
import { childNamed, type XmlTree } from '../xml/xml-tree.js'
import { ElementReader } from './element-reader.js'

export interface LinkPlaces {
  /** Object numbers of the pages, in order. */
  readonly pages: readonly number[]
  readonly spaceOf: (page: number) => PageSpace
}

/** Returns undefined for actions other than these, which are named as ignored. */
export function targetOf(reader: ElementReader, places: LinkPlaces): LinkTarget | undefined {
  const activation = reader.child('OnActivation')
  if (activation === undefined) return undefined
  const action = childNamed(activation, 'Action') ?? activation
  const uri = childNamed(action, 'URI')?.attributes.get('Name')
  if (uri !== undefined) return { kind: 'uri', uri }
  const goto = childNamed(action, 'GoTo')
  const dest = goto && childNamed(goto, 'Dest')
  return (dest && viewOf(dest, places)) ?? reader.ignore('<OnActivation>')
}

function viewOf(dest: XmlTree, { pages, spaceOf }: LinkPlaces): LinkTarget | undefined {
  const element = childNamed(dest, 'XYZ') ?? childNamed(dest, 'Fit')
  if (element === undefined) return undefined
  const view = new ElementReader(element)
  const number = pages[view.number('Page', Number.isInteger) ?? -1]
  if (number === undefined) return undefined
  const page = pageRef(number)
  if (element.name === 'Fit') return { kind: 'goto', destination: { kind: 'fit', page } }
  const [left, top, zoom] = ['Left', 'Top', 'Zoom'].map((name) => view.number(name))
  const { x, y } = spaceOf(number).toPagePoint(left ?? 0, top ?? 0)
  const place = { left: left === undefined ? null : x, top: top === undefined ? null : y, zoom: zoom ?? null }
  return { kind: 'goto', destination: { kind: 'xyz', page, ...place } }
}
