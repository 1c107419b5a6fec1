// Requirements on the caller that families of ops share.
import type { CollabAction, OpNeeds } from './op-contract.js'

export const annotating = (collab: CollabAction): OpNeeds => ({ capabilities: ['doc.annotate.modify'], collab })
export const filling: OpNeeds = { capabilities: ['doc.forms.fill'] }
export const modifyingForms: OpNeeds = { capabilities: ['doc.forms.modify'] }
export const describing: OpNeeds = { capabilities: ['doc.metadata.modify'] }
export const assembling: OpNeeds = { capabilities: ['doc.pages.assemble'] }
export const flattening: OpNeeds = { capabilities: ['doc.pages.modify', 'doc.annotate.modify'] }
