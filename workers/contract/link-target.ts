// Schema of the target of a link.
import { type Static, Type } from 'typebox'
import { Destination } from './destination.js'

export const LinkTarget = Type.Union([
  Type.Object({ kind: Type.Literal('goto'), destination: Destination }),
  Type.Object({ kind: Type.Literal('uri'), uri: Type.String() }),
  Type.Object({ kind: Type.Literal('goto-remote'), file: Type.String() }),
  Type.Object({ kind: Type.Literal('launch'), path: Type.String() }),
  Type.Object({ kind: Type.Literal('javascript') }),
  Type.Object({ kind: Type.Literal('named'), name: Type.String() }),
  Type.Object({ kind: Type.Literal('unsupported') }),
])
export type LinkTarget = Static<typeof LinkTarget>
