// Document timestamps (ISO 32000-2, 12.8.5), the only signatures that every certification permits.

import type { StrictValue } from '../../../strict-reader/values.js'
import { nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { CmsFailure } from '../../cms/cms-failure.js'
import { parseSignedData } from '../../cms/signed-data.js'
import { timestampInfo } from '../../cms/timestamp-token.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf } from '../compare/slot.js'

/** True if type, filter and CMS are those of a timestamp (table 255). Any other signature could say that it is one. */
export function isDocumentTimestamp({ after }: Comparison, signature: StrictValue | undefined): boolean {
  const [type, filter] = ['Type', 'SubFilter'].map((key) => nameOf(after.resolve(entryOf(signature, key))))
  const contents = ofKind(after.resolve(entryOf(signature, 'Contents')), 'string')
  if (type !== 'DocTimeStamp' || filter !== 'ETSI.RFC3161' || contents === undefined) return false
  if (entryOf(signature, 'Reference') !== undefined) return false
  try {
    timestampInfo(parseSignedData(contents.bytes))
    return true
  } catch (error) {
    if (error instanceof CmsFailure) return false
    throw error
  }
}
