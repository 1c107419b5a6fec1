// Requirements on the caller that families of ops share.
import type { CollabAction, OpNeeds } from './op-contract.js'

export const annotating = (collab: CollabAction): OpNeeds => ({ capabilities: ['doc.annotate.modify'], collab })
/** A mark by content tells where a text stands, so its caller must be allowed to search. */
export const markingBySearch: OpNeeds = { ...annotating('create'), besides: ['doc.text.search'] }
export const filling: OpNeeds = { capabilities: ['doc.forms.fill'] }
export const modifyingForms: OpNeeds = { capabilities: ['doc.forms.modify'] }
export const describing: OpNeeds = { capabilities: ['doc.metadata.modify'] }
export const assembling: OpNeeds = { capabilities: ['doc.pages.assemble'] }
export const flattening: OpNeeds = { capabilities: ['doc.pages.modify', 'doc.annotate.modify'] }
