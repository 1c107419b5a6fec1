// Regions with a target; they have no appearance.
import { Link } from '../../contract/annotations/link.js'
import { linkTargetOf } from '../../targets/link-targets.js'
import { putLinkTarget } from '../links.js'
import { subtypeWork } from '../subtype-work.js'
import { group } from '../writing/member-group.js'

export const work = subtypeWork(Link, {
  shape: 'rect',
  standard: { target: null },
  // Readers draw a frame around links without a border entry.
  begin: (object) => object.put('Border', [0, 0, 0]),
  read: (source, common) => ({ subtype: 'link', ...common, target: linkTargetOf(source.reading, source.object) }),
  groups: [group(['target'], ({ target }, written) => putLinkTarget(written, target))],
  invisible: ['target'],
})
