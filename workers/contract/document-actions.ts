// Schema of the actions of a document: scripts by name, the action or view at opening, and events (ISO 32000-2, 12.6.3). The
// shape is that of the published CloudPDF clients. Viewers decide what they run; this server runs nothing.
import { type Static, Type } from 'typebox'
import { ActionTree } from './action-tree.js'
import { Destination } from './destination.js'
import { Nullable } from './nullable.js'

const Event = Type.Optional(ActionTree)

export const DocumentActions = Type.Object({
  /** In the order in which a viewer runs them at opening. */
  nameTreeScripts: Type.Array(Type.Object({ name: Type.String(), action: ActionTree })),
  openAction: Nullable(ActionTree),
  /** View at opening; at most one of action and view is not null. */
  openDestination: Nullable(Destination),
  willClose: Event,
  willSave: Event,
  didSave: Event,
  willPrint: Event,
  didPrint: Event,
})
export type DocumentActions = Static<typeof DocumentActions>
