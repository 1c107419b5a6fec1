// Schema of a name of a page in a request.
import { Type } from 'typebox'

export const PageName = Type.String({ minLength: 1, maxLength: 1_024 })
