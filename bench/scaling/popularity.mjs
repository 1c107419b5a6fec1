// How often each document is asked for, and draws of documents by it.

/** Returns the share of all requests of each document, the most popular first. */
export function sharesByRank(documents, exponent) {
  const shares = new Float64Array(documents)
  let sum = 0
  for (let rank = 0; rank < documents; rank++) {
    shares[rank] = (rank + 1) ** -exponent
    sum += shares[rank]
  }
  for (let rank = 0; rank < documents; rank++) shares[rank] /= sum
  return shares
}

/** Draws positions of a list of weights, in proportion to them. */
export class WeightedDraw {
  #sums
  #total = 0

  constructor(weights) {
    this.#sums = new Float64Array(weights.length)
    for (let index = 0; index < weights.length; index++) {
      this.#total += weights[index]
      this.#sums[index] = this.#total
    }
  }

  /** `random`: a number from 0 to below 1. */
  next(random) {
    return firstAbove(this.#sums, random * this.#total)
  }
}

/** Returns the position of the first element of an ascending list that is above the value; the last one at most. */
export function firstAbove(ascending, value) {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] > value) high = middle
    else low = middle + 1
  }
  return low
}
