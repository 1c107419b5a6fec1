// Chooses logical names for remote objects: the name in state, else the name in the mark, else one derived from the
// object's own name.

import { Problem } from '../diagnostic.js'
import { diagnostic } from '../problems/index.js'
import { formatAddress, parseAddress } from '../value/address.js'
import type { Discovered } from './discover.js'

const nameLengthMax = 64

/** Gives each object a name, unique per provider and kind. Two marks with the same name are an error. */
export function nameAll(objects: readonly Discovered[]): ReadonlyMap<Discovered, string> {
  const names = new Map<Discovered, string>()
  const taken = new Map<string, Discovered>()
  const take = (object: Discovered, name: string) => {
    names.set(object, name)
    taken.set(keyOf(object, name), object)
  }
  for (const object of objects) if (object.address !== undefined) take(object, parseAddress(object.address).name)
  const clashes: Discovered[][] = []
  for (const object of objects) {
    if (names.has(object) || object.markedName === undefined) continue
    const other = taken.get(keyOf(object, object.markedName))
    if (other) clashes.push([other, object])
    else take(object, object.markedName)
  }
  if (clashes.length > 0) throw new Problem(clashes.map(([first, second]) => claimedTwice(first, second)))
  for (const object of objects) {
    if (names.has(object)) continue
    const { content } = object
    const own = content?.type === 'content' ? content.name : undefined
    const called = object.handler.name?.(object.object.remote) ?? own
    const base = called && object.handler.isNamedByKey ? called : slug(called ?? object.kind)
    let name = base
    for (let count = 2; taken.has(keyOf(object, name)); count++) name = `${base}-${count}`
    take(object, name)
  }
  return names
}

/** Returns lower case, digits and dashes, as people write logical names. */
export function slug(text: string): string {
  const made = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, nameLengthMax)
  return made === '' ? 'unnamed' : made
}

function keyOf({ provider, kind }: Discovered, name: string): string {
  return formatAddress({ provider, kind, name })
}

function claimedTwice(first: Discovered | undefined, second: Discovered | undefined) {
  const name = second?.markedName ?? ''
  const address = second ? keyOf(second, name) : ''
  return diagnostic('sync.name-claimed-twice', {
    detail: `${first?.object.id} and ${second?.object.id} both have the mark of ${address}. The file was left as it is.`,
    address,
  })
}
