// `doc.search`: a slice of a search in the text of a layer. Its immutable form names in a token what the answer depends on:
// the query, the position, and the epoch, a fingerprint of the order and the contents of the pages.
import { createHash } from 'node:crypto'
import type { SearchSlice } from '../../workers/contract/search.js'
import type { SearchInput } from '../../workers/jobs/search.js'
import { inTokenText, tokenText } from '../http/token-text.js'
import { type Reader, readerOf } from '../http/validation.js'
import { tokenMembers, tokenOf } from '../http/versioned-token.js'
import { basePin } from '../layers/base-pins.js'
import { limits } from '../limits.js'
import type { DocumentContext, ReadyJson } from '../operation/operation.js'
import { invalidArg, notFound } from '../refusals/refusal.js'
import { SearchParameters } from '../schemas/search.js'
import { pagesOf } from './pages.js'
import { allPagePinsOf, layerPinsOf } from './pins.js'
import { sendJson } from './send-json.js'

/** Name of the shape of the answer, which a token contains. */
const format = 'segments1'

export interface SearchRequest {
  readonly parameters: SearchParameters
  /** True: with the text around each match. */
  readonly isFull: boolean
}

/** Searches the current content. */
export async function searchNow({ parameters, isFull }: SearchRequest, context: DocumentContext) {
  return searchIn({ parameters, isFull, epoch: await epochOf(context) }, context)
}

/** Searches by a token. Throws `NotFound` if the content of the epoch is not the current one. */
export async function searchByToken(token: string, isFull: boolean, context: DocumentContext) {
  const { epoch, format: shape, q, ...rest } = Object.fromEntries(tokenMembers(token))
  if (shape !== format) throw invalidArg(`A token of a search needs format=${format}`)
  if (q === undefined) throw invalidArg('A token of a search needs q')
  const parameters = parameterReader.read({ ...rest, q: tokenText(q, 'text of the search') }) as SearchParameters
  const current = await epochOf(context)
  if (epoch !== current) throw notFound('version of this')
  return searchIn({ parameters, isFull, epoch: current }, context)
}

const parameterReader: Reader = readerOf(SearchParameters, 'query')

interface SearchAtEpoch extends SearchRequest {
  readonly epoch: string
}

function searchIn({ parameters, isFull, epoch }: SearchAtEpoch, context: DocumentContext): Promise<ReadyJson> {
  const name = createHash('sha256').update(JSON.stringify(parameters)).digest('base64url')
  const parts = [isFull ? 'search' : 'search-rects', name]
  return sendJson(context, { pins: ['docVersion'], parts }, async (source) => {
    const input = { source, ...inputOf(parameters), isFull, variant: name }
    const { isOver, ...slice } = await context.deployment.workers.run('search', input)
    const nextCursor = isOver ? null : cursorOf(parameters, epoch, slice.pagesSearched)
    const answer: SearchSlice = { ...slice, nextCursor }
    return { bytes: Buffer.from(JSON.stringify(answer), 'utf8') }
  })
}

const isOn = (word: 'true' | 'false' | undefined): boolean => word === 'true'

function inputOf(parameters: SearchParameters): Omit<SearchInput, 'source' | 'isFull'> {
  const max = limits.searchMatchesMax
  const { q, regex, matchCase, matchDiacritics, wholeWord, ignoreWhitespace, skip = 0 } = parameters
  return {
    query: {
      text: q,
      regex: isOn(regex),
      matchCase: isOn(matchCase),
      matchDiacritics: isOn(matchDiacritics),
      wholeWord: isOn(wholeWord),
      ignoreWhitespace: isOn(ignoreWhitespace),
    },
    from: parameters.from ?? parameters.startPage,
    skip,
    pagesMax: parameters.limitPages ?? parameters.maxPages ?? Number.MAX_SAFE_INTEGER,
    matchesMax: Math.min(parameters.limitMatches ?? parameters.maxMatches ?? max, max),
  }
}

/** Returns the token of the next slice, which is also the cursor. */
function cursorOf(parameters: SearchParameters, epoch: string, skip: number): string {
  const others = Object.entries({ ...parameters, skip }).filter(([, value]) => value !== 'false')
  const members = Object.fromEntries(others.map(([name, value]) => [name, String(value)]))
  return tokenOf({ ...members, epoch, format, q: inTokenText(parameters.q) })
}

/** Returns the epoch as clients compute it from the manifest. */
async function epochOf(context: DocumentContext): Promise<string> {
  const own = await allPagePinsOf(context)
  const unchanged = basePin(context)
  const pages = await pagesOf(context)
  const contents = pages.map((page) => `|${page}:${own.get(page)?.contentVersion ?? unchanged}`)
  return fnv1a64(`${layerPinsOf(context).layoutVersion}${contents.join('')}`)
}

/** Hash of an ASCII text (FNV-1a with 64 bits) in hexadecimal, computed in halves: large integers are slow. */
function fnv1a64(text: string): string {
  let [high, low] = [0xcbf29ce4, 0x84222325]
  for (let index = 0; index < text.length; index++) {
    low = (low ^ text.charCodeAt(index)) >>> 0
    // The prime is 2^40 + 0x1b3.
    const product = low * 0x1b3
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 0x1_0000_0000) + (low << 8)) >>> 0
    low = product >>> 0
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}
