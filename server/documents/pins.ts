// The version pins of a document nobody edited: all of them are the second it was created in, so that no browser cache of
// a year ever meets another document that came to have the same public id.
import type { DocumentRow } from '../rows/document.js'

export const firstPin = ({ createdAt }: Pick<DocumentRow, 'createdAt'>): number =>
  Math.max(1, Math.floor(createdAt / 1000))
