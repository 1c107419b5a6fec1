// Schema of all pages in display order, with their names.
import { type Static, Type } from 'typebox'
import { NamedPage } from './named-page.js'
import { CountFromZero } from './numbers.js'
import { PageLayout } from './page-layout.js'

export const PageList = Type.Object({
  pageCount: CountFromZero,
  pages: Type.Array(PageLayout),
  namedPages: Type.Array(NamedPage),
})
export type PageList = Static<typeof PageList>
