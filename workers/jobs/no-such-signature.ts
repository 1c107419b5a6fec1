// Refusal of a signature that a version does not have.
import { JobRefusal } from '../contract/job-refusal.js'

export const noSuchSignature = (fieldName: string): JobRefusal =>
  new JobRefusal('NotFound', `The version has no well-formed signature in a field "${fieldName}"`)
