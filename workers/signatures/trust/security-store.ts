// Reads `/DSS`, the security store of a document (ISO 32000-2, 12.8.4.3). What it contains is not trusted because it is
// there: certificates, lists and answers are signed by their issuers.
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictStream, StrictValue } from '../../strict-reader/values.js'
import type { SecurityStore } from './verification-input.js'

const streamsMax = 100
const bytesMax = 32 * 1024 * 1024

export const emptyStore: SecurityStore = { certificates: [], ocsps: [], crls: [] }

/** What cannot be read is passed over. Streams that several entries name are read once. */
export function securityStoreOf(document: StrictDocument, revision: StrictRevision): SecurityStore {
  const reading = new StoreReading(document, revision)
  const catalog = reading.dictionary(revision.trailer.entries.get('Root'))
  const store = reading.dictionary(catalog?.entries.get('DSS'))
  if (store === undefined) return emptyStore
  const validation = [...(reading.dictionary(store.entries.get('VRI'))?.entries.values() ?? [])]
    .slice(0, streamsMax)
    .map((entry) => reading.dictionary(entry))
  const all = (name: string, short: string) =>
    reading.streams([store.entries.get(name), ...validation.map((entry) => entry?.entries.get(short))])
  return { certificates: all('Certs', 'Cert'), ocsps: all('OCSPs', 'OCSP'), crls: all('CRLs', 'CRL') }
}

class StoreReading {
  #bytesLeft = bytesMax

  constructor(
    private readonly document: StrictDocument,
    private readonly revision: StrictRevision,
  ) {}

  dictionary(value: StrictValue | undefined): StrictDictionary | undefined {
    const resolved = this.#resolved(value)
    return isKind(resolved, 'dictionary') ? resolved : undefined
  }

  streams(lists: readonly (StrictValue | undefined)[]): readonly Uint8Array[] {
    const streams = new Map<number, StrictStream>()
    for (const value of lists) {
      const list = this.#resolved(value)
      for (const item of isKind(list, 'array') ? list.items : []) {
        if (streams.size >= streamsMax) break
        const stream = this.#resolved(item)
        if (isKind(stream, 'stream')) streams.set(stream.offset, stream)
      }
    }
    return [...streams.values()].flatMap((stream) => this.#bytes(stream))
  }

  #bytes(stream: StrictStream): readonly Uint8Array[] {
    if (this.#bytesLeft <= 0) return []
    const bytes = attempted(() => this.document.decodedBytes(stream))
    this.#bytesLeft -= bytes?.length ?? 0
    return bytes === undefined || this.#bytesLeft < 0 ? [] : [bytes]
  }

  #resolved(value: StrictValue | undefined): StrictValue | undefined {
    return attempted(() => this.revision.resolve(value))
  }
}

function isKind<Kind extends 'dictionary' | 'array' | 'stream'>(
  value: StrictValue | undefined,
  kind: Kind,
): value is Extract<StrictValue, { readonly kind: Kind }> {
  return typeof value === 'object' && value !== null && value.kind === kind
}

function attempted<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}
