// Wire schemas of links, which open one picture or file without a header.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { limits } from '../limits.js'

export const LinkRequest = Type.Object(
  {
    /** Path and query of the read: `/v1/docs/…`. */
    url: Type.String({
      pattern: '^/v1/docs/[^#\\s]+$',
      maxLength: limits.linkCharactersMax,
      examples: ['/v1/docs/report/layers/default/download'],
    }),
    /** Seconds until the link ends; it ends with the token of the request at the latest. */
    expiresIn: Type.Optional(Type.Integer({ minimum: 10, maximum: limits.linkSecondsMax })),
  },
  strict,
)

export const LinkCreated = Type.Object({
  /** The path and query of the request, with the parameter that opens it. */
  url: Type.String(),
  /** Seconds since 1970. */
  expiresAt: Type.Integer({ minimum: 1 }),
})
