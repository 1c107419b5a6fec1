// Declares the immutable form of a read: the current pins that its address must name.
import type { VersionedRead } from '../operation/operation.js'
import { objectNumberOf } from '../schemas/ids.js'
import { type PinName, pinsNamed } from './pins.js'

export const versionedBy = (...pins: readonly PinName[]): VersionedRead => ({
  pins,
  current: ({ params: { pageKey } }, context) =>
    pinsNamed(pins, context, pageKey === undefined ? undefined : objectNumberOf(pageKey)),
  isInherited: true,
})
