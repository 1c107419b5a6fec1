// Query of a search: flat members, of which the immutable form of the read makes a token.
import { type Static, Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { limits } from '../limits.js'

const Switch = Type.Optional(Type.Enum(['true', 'false']))

const FromOne = Type.Optional(Type.Integer({ minimum: 1 }))

export const SearchParameters = Type.Object(
  {
    q: Type.String({ minLength: 1, maxLength: limits.searchTextCharactersMax, examples: ['invoice'] }),
    regex: Switch,
    matchCase: Switch,
    matchDiacritics: Switch,
    wholeWord: Switch,
    ignoreWhitespace: Switch,
    startPage: FromOne,
    /** The same as `startPage`. */
    from: FromOne,
    skip: Type.Optional(Type.Integer({ minimum: 0 })),
    maxPages: FromOne,
    /** The same as `maxPages`. */
    limitPages: FromOne,
    maxMatches: FromOne,
    /** The same as `maxMatches`. */
    limitMatches: FromOne,
  },
  strict,
)
export type SearchParameters = Static<typeof SearchParameters>
