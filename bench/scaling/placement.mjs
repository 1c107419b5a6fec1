// Which process serves which document: the consistent hashing of the balancer.
import { firstAbove } from './popularity.mjs'

/** Points of each process on the ring, as nginx and others place them. */
const pointsOfProcess = 160

export class Ring {
  #positions
  #owners

  constructor(processes) {
    const points = []
    for (let owner = 0; owner < processes; owner++) {
      for (let point = 0; point < pointsOfProcess; point++)
        points.push([hash(owner * pointsOfProcess + point + 1e9), owner])
    }
    points.sort(([a], [b]) => a - b)
    this.#positions = Float64Array.from(points, ([position]) => position)
    this.#owners = Int32Array.from(points, ([, owner]) => owner)
  }

  /** Returns the different processes that follow a document on the ring. */
  processesOf(document, count) {
    const position = hash(document)
    const isBehindLast = position >= this.#positions[this.#positions.length - 1]
    let index = isBehindLast ? 0 : firstAbove(this.#positions, position)
    if (count === 1) return [this.#owners[index]]
    const found = new Set()
    for (let steps = 0; found.size < count && steps < this.#owners.length; steps++) {
      found.add(this.#owners[index])
      index = (index + 1) % this.#owners.length
    }
    return [...found]
  }
}

/** Mixes the bits of an integer, so that neighbours are far apart; from 0 to below 2^32. */
function hash(value) {
  let bits = value >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * Returns the documents of each process with their shares of all requests. `copiesOf`: number of processes that serve a
 * document with this share.
 */
export function placed(shares, processes, copiesOf) {
  const ring = new Ring(processes)
  const loads = Array.from({ length: processes }, () => ({ documents: [], shares: [], share: 0 }))
  for (let document = 0; document < shares.length; document++) {
    const owners = ring.processesOf(document, Math.min(processes, copiesOf(shares[document])))
    for (const owner of owners) {
      const load = loads[owner]
      load.documents.push(document)
      load.shares.push(shares[document] / owners.length)
      load.share += shares[document] / owners.length
    }
  }
  return loads
}
