// Judges the information dictionary and XMP.

import type { StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, ofKind } from '../../../strict-reader/values-of.js'
import { analysisLimits } from '../analysis-limits.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { keysOf, type Slot } from '../compare/slot.js'

export function judgeInformation(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'information')
  if (slot.after === undefined && slot.before !== undefined) {
    comparison.findings.refuse('no-rule', entry.place)
    return
  }
  judgeEntries(comparison, slot, {
    roles: ['information'],
    conditions: Object.fromEntries(
      keysOf(slot).map((key) => [
        key,
        ({ after }: Slot) => {
          if (ofKind(after, 'string') === undefined) return 'Not a text'
          return ['Creator', 'CreationDate'].includes(key) && slot.before !== undefined
            ? 'Not a new dictionary'
            : undefined
        },
      ]),
    ),
  })
}

export function judgeMetadata(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'metadata')
  if (comparison.isSame(slot)) return
  comparison.allow('document-metadata', slot.place, metadataProblem(comparison, slot))
}

function metadataProblem(comparison: Comparison, slot: Slot): string | undefined {
  const after = ofKind(slot.after, 'stream')
  if (after === undefined) return 'Not a stream'
  const known = ['Type', 'Subtype', 'Length', 'Filter', 'DecodeParms']
  if (!keysOf(slot).every((key) => known.includes(key))) return 'Unexpected entries'
  const before = ofKind(slot.before, 'stream')
  if (before === undefined) return slot.before === undefined ? undefined : 'Not a stream before'
  const [old, now] = [timelessText(comparison, before), timelessText(comparison, after)]
  return old !== undefined && old === now ? undefined : 'More than dates, instance and producer changed'
}

const variable = '(?:xmp:ModifyDate|xmp:MetadataDate|xap:ModifyDate|xap:MetadataDate|xmpMM:InstanceID|pdf:Producer)'
const variableParts = [
  /<\?xpacket[^>]*\?>/g,
  /\sx:xmptk="[^"]*"/g,
  new RegExp(`\\s${variable}="[^"]*"`, 'g'),
  new RegExp(`\\s${variable}='[^']*'`, 'g'),
  new RegExp(`<(${variable})>[^<]*</\\1>`, 'g'),
]

/** Returns the text of XMP without the parts that may change; undefined if it is too long. */
function timelessText(comparison: Comparison, stream: StrictValue): string | undefined {
  const data = ofKind(stream, 'stream')
  if (data === undefined || dictionaryOf(stream) === undefined) return undefined
  const bytes = comparison.document.decodedBytes(data)
  if (bytes.length > analysisLimits.metadataBytesMax) return undefined
  const text = Buffer.from(bytes).toString('latin1')
  return variableParts.reduce((rest, part) => rest.replace(part, ''), text).replace(/\s+/g, '')
}
