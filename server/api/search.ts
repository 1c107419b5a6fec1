// Operations that search the text of a document.
import { Type } from 'typebox'
import { SearchSlice } from '../../workers/contract/search.js'
import { searchByToken, searchNow } from '../documents/search.js'
import { limits } from '../limits.js'
import { operation } from '../operation/operation.js'
import { LayerPath } from '../schemas/ids.js'
import { SearchParameters } from '../schemas/search.js'

const TokenPath = Type.Object({
  ...LayerPath.properties,
  token: Type.String({ minLength: 1, maxLength: limits.pathParameterCharactersMax }),
})

const tiers = [
  {
    name: 'doc.search.rects',
    summary: 'Find where a text or a pattern stands in a document',
    path: 'search/rects',
    isFull: false,
    capabilities: ['doc.text.search'],
  },
  {
    name: 'doc.search.full',
    summary: 'Find a text or a pattern in a document, with the text around each match',
    path: 'search/full',
    isFull: true,
    capabilities: ['doc.text.search', 'doc.text.copy'],
  },
] as const

export const searchOperations = tiers.flatMap(({ name, summary, path, isFull, capabilities }) => [
  operation({
    name,
    summary,
    plane: 'document',
    method: 'GET',
    path: `/v1/docs/:docId/layers/:layerName/${path}/data`,
    authority: { kind: 'document', capabilities },
    input: { params: LayerPath, query: SearchParameters },
    answer: SearchSlice,
    handle: ({ query }, context) => searchNow({ parameters: query, isFull }, context),
  }),
  operation({
    name: `${name}At`,
    summary: `${summary}: the immutable form, by a token that names content, query and position`,
    plane: 'document',
    method: 'GET',
    path: `/v1/docs/:docId/layers/:layerName/${path}/data@:token`,
    authority: { kind: 'document', capabilities },
    input: { params: TokenPath },
    answer: SearchSlice,
    isImmutable: true,
    handle: ({ params }, context) => searchByToken(params.token, isFull, context),
  }),
])
