// Browser origins that a share or token is limited to.
import { Type } from 'typebox'
import { originPattern } from '../auth/origins.js'

const Origin = Type.String({
  pattern: originPattern,
  maxLength: 262,
  examples: ['https://app.example.com', 'https://*.example.com'],
})

export const Origins = Type.Array(Origin, { minItems: 1, maxItems: 32 })
