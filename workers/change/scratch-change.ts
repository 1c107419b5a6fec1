// A change to an open copy that is only read afterwards: it is not tracked, committed or undone.

import type { OpenDocument } from '../document/open-document.js'
import { limits } from '../limits.js'
import type { ObjectImage } from '../objects/object-image.js'
import { Change } from './change.js'
import type { ObjectTracker } from './touched-objects.js'

/** Creates the change. The copy must not be used for anything else afterwards. */
export function scratchChange(document: OpenDocument): Change {
  const nextObject = Math.min(document.pdf.countObjects(), limits.objectNumberMax)
  const surroundings = {
    stamp: { now: 0, author: null },
    inline: [],
    resources: {},
    itemsMax: Number.MAX_SAFE_INTEGER,
    nextObject,
  }
  return new Change(document, surroundings, new UntrackedObjects(nextObject))
}

class UntrackedObjects implements ObjectTracker {
  constructor(private readonly firstNew: number) {}

  isNew(number: number): boolean {
    return number >= this.firstNew
  }

  touch(): void {}

  claim(): void {}

  touchTrailer(): void {}

  setHidden(): void {}

  images(): readonly ObjectImage[] {
    return []
  }
}
