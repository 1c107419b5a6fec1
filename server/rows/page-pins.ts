// Version pins of one page in one layer; a page without a row has those of the base.
import { CachePins } from '../../workers/contract/mutation-meta.js'

export const PagePinsRow = CachePins
