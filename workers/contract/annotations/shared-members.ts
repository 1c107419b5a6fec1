// Members that several subtypes share.
import { type Static, Type } from 'typebox'
import { BorderStyle } from '../border-style.js'
import { Color } from '../color.js'
import { WrittenMeasure, WrittenMeasurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { Length, Opacity } from '../numbers.js'
import { PageBox } from '../page-box.js'
import { PagePoint } from '../page-point.js'
import { PageQuad } from '../page-quad.js'
import { Words } from '../words.js'

export const rotationMembers = { rotation: Nullable(Type.Number()) }

export const colourMembers = { color: Color, opacity: Opacity }

export const borderMembers = {
  strokeWidth: Length,
  borderStyle: BorderStyle,
  dashArray: Nullable(Type.Array(Type.Number())),
}

export const strokeMembers = { ...colourMembers, ...borderMembers }

export const fillMembers = { ...strokeMembers, interiorColor: Nullable(Color) }

export const boxMembers = {
  /** Shape before the rotation about its centre; `rect` is the upright box around everything that is drawn. */
  box: PageBox,
  ...rotationMembers,
}

export const quadMembers = { quadPoints: Type.Array(PageQuad, { minItems: 1 }) }

export const verticesMembers = { vertices: Type.Array(PagePoint), ...rotationMembers }

export const cloudMembers = { cloudyIntensity: Nullable(Type.Number({ exclusiveMinimum: 0 })) }

export const boxedMembers = { ...fillMembers, ...boxMembers, ...cloudMembers }

export const markMembers = { ...colourMembers, ...quadMembers }

export const captionMembers = {
  captionEnabled: Nullable(Type.Boolean()),
  captionCenter: Nullable(PagePoint),
}

/** Border styles that can be drawn. */
export const drawnBorder = {
  borderStyle: Words(['solid', 'dashed']),
  dashArray: Nullable(Type.Array(Type.Number({ minimum: 0 }))),
}

/** Written form of a scale. */
export const writtenMeasure = { measure: Nullable(WrittenMeasurement) }
/** Scales that a write can set. */
export const ownMeasure = { measure: Nullable(WrittenMeasure) }

const Colour = Type.Object(colourMembers)
export type Colour = Static<typeof Colour>
const Border = Type.Object(borderMembers)
export type Border = Static<typeof Border>
const Stroke = Type.Object(strokeMembers)
export type Stroke = Static<typeof Stroke>
const Fill = Type.Object(fillMembers)
export type Fill = Static<typeof Fill>
const Box = Type.Object(boxMembers)
export type Box = Static<typeof Box>
const Boxed = Type.Object(boxedMembers)
export type Boxed = Static<typeof Boxed>
