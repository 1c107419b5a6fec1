// Reads the action of a link element: an address, or a view of a page.
import type { LinkTarget } from '../../contract/link-target.js'
import { pageRef } from '../../contract/page-ref.js'
import type { PageSpace } from '../../document/page-space.js'
import { destinationFrom, onPage, viewAttribute, viewKindOf, viewNumbers } from '../../targets/views.js'
import { childNamed, elementsIn, type XmlTree } from '../xml/xml-tree.js'
import { ElementReader } from './element-reader.js'

export interface LinkPlaces {
  /** Object numbers of the pages, in order. */
  readonly pages: readonly number[]
  readonly spaceOf: (page: number) => PageSpace
}

/** Returns undefined for actions other than these. What is not taken of the element is named as ignored. */
export function targetOf(reader: ElementReader, places: LinkPlaces): LinkTarget | undefined {
  const activation = reader.child('OnActivation')
  if (activation === undefined) return undefined
  const action = childNamed(activation, 'Action') ?? activation
  const taken = new Set([action, childNamed(action, 'URI') ?? childNamed(action, 'GoTo')])
  for (const other of [...elementsIn(activation), ...elementsIn(action)]) {
    if (!taken.has(other)) reader.ignore(`<${other.name}>`)
  }
  const uri = childNamed(action, 'URI')?.attributes.get('Name')
  if (uri !== undefined) return { kind: 'uri', uri }
  const goto = childNamed(action, 'GoTo')
  const dest = goto && childNamed(goto, 'Dest')
  return (dest && viewOf(dest, places, (name) => reader.ignore(name))) ?? reader.ignore('<OnActivation>')
}

function viewOf(dest: XmlTree, { pages, spaceOf }: LinkPlaces, ignore: (name: string) => void): LinkTarget | undefined {
  const [element] = elementsIn(dest)
  const kind = viewKindOf(element?.name)
  if (element === undefined || kind === undefined) return undefined
  const reader = new ElementReader(element)
  const number = pages[reader.number('Page', Number.isInteger) ?? -1]
  if (number === undefined) return undefined
  const space = spaceOf(number)
  const numbers = viewNumbers[kind].map((name) => {
    const value = reader.number(viewAttribute(name))
    return [name, value === undefined ? null : onPage(space, name, value)] as const
  })
  for (const name of reader.ignored) ignore(`<${element.name}> ${name}`)
  // The view of a rectangle needs all four numbers.
  if (kind === 'fitR' && numbers.some(([, value]) => value === null)) return undefined
  return { kind: 'goto', destination: destinationFrom(kind, pageRef(number), Object.fromEntries(numbers)) }
}
