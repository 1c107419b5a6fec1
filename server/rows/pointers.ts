// Rows that only lead to other rows. They are written and removed with the rows they lead to, never by themselves.
import { Type } from 'typebox'

export const TenantPointer = Type.Object({ tenant: Type.String() })
export const DocumentPointer = Type.Object({ tenant: Type.String(), document: Type.String() })
export const SharePointer = Type.Object({ tenant: Type.String(), document: Type.String(), share: Type.String() })
export const VersionPointer = Type.Object({ number: Type.Integer({ minimum: 1 }) })
/** Everything is said by the key. */
export const Mark = Type.Object({})
