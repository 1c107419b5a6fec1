// Index rows that point to other rows, written and removed together with them.
import { Type } from 'typebox'

export const TenantPointer = Type.Object({ tenant: Type.String() })
export const DocumentPointer = Type.Object({ tenant: Type.String(), document: Type.String() })
export const SharePointer = Type.Object({ tenant: Type.String(), document: Type.String(), share: Type.String() })
export const VersionPointer = Type.Object({ number: Type.Integer({ minimum: 1 }) })
/** Row whose key contains all information. */
export const Mark = Type.Object({})
