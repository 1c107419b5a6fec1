// Reads a file of values: FDF, or XFDF. Its first bytes tell which, because clients often send a wrong media type.
import type { Resource } from '../../change/unfinished-item.js'
import { readFdf } from '../fdf/read-fdf.js'
import { readSource } from '../read-source.js'
import { readXfdf } from '../xfdf/read-xfdf.js'
import type { FileValue } from './file-value.js'

export function readValues(file: Resource): readonly FileValue[] {
  const bytes = readSource(file)
  return bytes[0] === percent ? readFdf(bytes) : readXfdf(bytes).fields
}

const percent = '%'.charCodeAt(0)
