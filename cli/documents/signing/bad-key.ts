// Problem of a key or certificate that cannot be used for signing.
import { documentsProblem } from '../problems.js'

export const badKey = (detail: string, cause?: unknown) =>
  documentsProblem('documents.bad-key', { detail: `${detail}.`, ...(cause === undefined ? {} : { cause }) })
