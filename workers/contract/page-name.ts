// A name that a page is called by.
import { Type } from 'typebox'

export const PageName = Type.String({ minLength: 1, maxLength: 1_024 })
