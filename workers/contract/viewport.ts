// Schema of a part of a page with its own scale.
import { type Static, Type } from 'typebox'
import { Measurement } from './measurement.js'
import { PageBox } from './page-box.js'

export const Viewport = Type.Object({
  bbox: PageBox,
  name: Type.Optional(Type.String()),
  measure: Type.Optional(Measurement),
  /** True if created by `pages.setScale`. */
  owned: Type.Boolean(),
})
export type Viewport = Static<typeof Viewport>

export const PageViewports = Type.Object({ viewports: Type.Array(Viewport) })
export type PageViewports = Static<typeof PageViewports>
