// Reads the action of a link element: an address, or a view of a page.
import { Destination } from '../../contract/destination.js'
import { LazyCheck } from '../../contract/lazy-check.js'
import type { LinkTarget } from '../../contract/link-target.js'
import { pageRef } from '../../contract/page-ref.js'
import type { PageSpace } from '../../document/page-space.js'
import { childNamed, elementsIn, type XmlTree } from '../xml/xml-tree.js'
import { ElementReader } from './element-reader.js'
import { attributeOf, isAcross, linkViews, type ViewMember } from './link-views.js'

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
  return (dest && viewOf(dest, places, (name) => reader.ignore(name))) ?? reader.ignore('<OnActivation>')
}

function viewOf(dest: XmlTree, { pages, spaceOf }: LinkPlaces, ignore: (name: string) => void): LinkTarget | undefined {
  const [element] = elementsIn(dest)
  const view = linkViews.find((one) => one.element === element?.name)
  if (element === undefined || view === undefined) return undefined
  const reader = new ElementReader(element)
  const number = pages[reader.number('Page', Number.isInteger) ?? -1]
  if (number === undefined) return undefined
  const space = spaceOf(number)
  const place = view.members.map((member) => {
    const value = reader.number(attributeOf(member))
    return [member, value === undefined ? null : onPage(space, member, value)] as const
  })
  for (const name of reader.ignored) ignore(`<${element.name}> ${name}`)
  const destination = { kind: view.kind, page: pageRef(number), ...Object.fromEntries(place) }
  // The view of a rectangle needs all four numbers.
  return isDestination.passes(destination) ? { kind: 'goto', destination } : undefined
}

function onPage(space: PageSpace, member: ViewMember, value: number): number {
  if (member === 'zoom') return value
  return isAcross(member) ? space.toPagePoint(value, 0).x : space.toPagePoint(0, value).y
}

const isDestination = new LazyCheck(Destination)
