// Schema of the pictures of all appearances of a page, in the shape of the published CloudPDF clients: it is the part
// `body` of a multipart answer, whose files are the pictures.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from './annotation-ref.js'
import { Nullable } from './nullable.js'
import { CountFromOne } from './numbers.js'
import { PageBox } from './page-box.js'
import { PageRef } from './page-ref.js'
import { strict } from './strict.js'
import { Words } from './words.js'

/** What a viewer shows at rest, under the pointer, and while the annotation is pressed (ISO 32000-2, 12.5.5). */
export const appearanceModes = ['normal', 'rollover', 'down'] as const
export type AppearanceMode = (typeof appearanceModes)[number]

export const AppearancePicture = Type.Object({
  /** The picture is the part `resource:<image>`. */
  resources: Type.Object({ image: Type.String({ minLength: 1 }) }, strict),
  ref: AnnotationRef,
  mode: Words(appearanceModes),
  state: Nullable(Type.String()),
  /** Place of the picture on the page. */
  rect: PageBox,
  /** Size in pixels. */
  width: CountFromOne,
  height: CountFromOne,
  format: Type.Enum(['webp', 'png']),
  contentType: Type.String(),
})
export type AppearancePicture = Static<typeof AppearancePicture>

export const AppearanceBatch = Type.Object({ page: PageRef, appearances: Type.Array(AppearancePicture) })
export type AppearanceBatch = Static<typeof AppearanceBatch>
