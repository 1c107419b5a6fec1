// Declares the immutable form of a read: the current pins that its address must name.
import type { VersionedRead } from '../operation/operation.js'
import { objectNumberOf } from '../schemas/ids.js'
import { type PinName, pinsNamed } from './pins.js'

const currentOf =
  (names: readonly PinName[]): VersionedRead['current'] =>
  ({ params: { pageKey } }, context) =>
    pinsNamed(names, context, pageKey === undefined ? undefined : objectNumberOf(pageKey))

export const versionedBy = (...pins: readonly PinName[]): VersionedRead => ({
  pins,
  current: currentOf(pins),
  isInherited: true,
})

/** For a read of the layer as a whole, which no other layer shares. */
export const versionedInLayer = (...pins: readonly PinName[]): VersionedRead => ({
  ...versionedBy(...pins),
  isInherited: false,
})

/** For a read that depends on further pins, which the addresses of clients do not name. */
export const versionedBesides = (pin: PinName, unnamed: readonly PinName[]): VersionedRead => ({
  ...versionedBy(pin),
  current: currentOf([pin, ...unnamed]),
})
