// A part of a page that has a scale of its own.
import { type Static, Type } from 'typebox'
import { Measurement } from './measurement.js'
import { PageBox } from './page-box.js'

export const Viewport = Type.Object({
  bbox: PageBox,
  name: Type.Optional(Type.String()),
  measure: Type.Optional(Measurement),
  /** Made by `pages.setScale`. */
  owned: Type.Boolean(),
})
export type Viewport = Static<typeof Viewport>

export const PageViewports = Type.Object({ viewports: Type.Array(Viewport) })
export type PageViewports = Static<typeof PageViewports>
