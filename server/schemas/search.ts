// Query of a search: flat members, of which the immutable form of the read makes a token.
import { type Static, Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { limits } from '../limits.js'

const Switch = Type.Optional(Type.Enum(['true', 'false']))

export const SearchParameters = Type.Object(
  {
    q: Type.String({ minLength: 1, maxLength: limits.searchTextCharactersMax, examples: ['invoice'] }),
    regex: Switch,
    matchCase: Switch,
    matchDiacritics: Switch,
    wholeWord: Switch,
    ignoreWhitespace: Switch,
    startPage: Type.Optional(Type.Integer({ minimum: 1 })),
    /** The same as `startPage`. */
    from: Type.Optional(Type.Integer({ minimum: 1 })),
    skip: Type.Optional(Type.Integer({ minimum: 0 })),
    maxPages: Type.Optional(Type.Integer({ minimum: 1 })),
    maxMatches: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
)
export type SearchParameters = Static<typeof SearchParameters>
