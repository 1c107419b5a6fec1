// Links and popups: what leads or opens, and is not drawn itself.

import { booleanOf, entry } from '../../objects/values.js'
import { linkTargetOf } from '../../targets/link-targets.js'
import type { ReadAnnotation } from './annotation-source.js'

export const readLink: ReadAnnotation = (source, common) => ({
  subtype: 'link',
  ...common,
  target: linkTargetOf(source.reading, source.object),
})

export const readPopup: ReadAnnotation = (source, common) => ({
  subtype: 'popup',
  ...common,
  parent: source.siblings.parentOf(source.ref),
  open: booleanOf(entry(source.object, 'Open')) ?? false,
})
