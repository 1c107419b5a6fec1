// Reads `/DSS`, the security store of a document (ISO 32000-2, 12.8.4.3). Its content need not be trusted, because
// certificates, CRLs and OCSP responses are signed by their issuers.
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictStream, StrictValue } from '../../strict-reader/values.js'
import { ofKind } from '../../strict-reader/values-of.js'
import type { SecurityStore } from './verification-input.js'

const streamsMax = 100
const bytesMax = 32 * 1024 * 1024

export const emptyStore: SecurityStore = { certificates: [], ocsps: [], crls: [] }

/** Reads the store. Entries that cannot be read are skipped. Streams that several entries name are read once. */
export function securityStoreOf(document: StrictDocument, revision: StrictRevision): SecurityStore {
  const reader = new StoreReader(document, revision)
  const catalog = reader.dictionary(revision.trailer.entries.get('Root'))
  const store = reader.dictionary(catalog?.entries.get('DSS'))
  if (store === undefined) return emptyStore
  const validation = [...(reader.dictionary(store.entries.get('VRI'))?.entries.values() ?? [])]
    .slice(0, streamsMax)
    .map((entry) => reader.dictionary(entry))
  const all = (name: string, short: string) =>
    reader.streams([store.entries.get(name), ...validation.map((entry) => entry?.entries.get(short))])
  return { certificates: all('Certs', 'Cert'), ocsps: all('OCSPs', 'OCSP'), crls: all('CRLs', 'CRL') }
}

class StoreReader {
  #bytesLeft = bytesMax

  constructor(
    private readonly document: StrictDocument,
    private readonly revision: StrictRevision,
  ) {}

  dictionary(value: StrictValue | undefined): StrictDictionary | undefined {
    return ofKind(this.#resolved(value), 'dictionary')
  }

  streams(lists: readonly (StrictValue | undefined)[]): readonly Uint8Array[] {
    const streams = new Map<number, StrictStream>()
    for (const value of lists) {
      for (const item of ofKind(this.#resolved(value), 'array')?.items ?? []) {
        if (streams.size >= streamsMax) break
        const stream = ofKind(this.#resolved(item), 'stream')
        if (stream !== undefined) streams.set(stream.offset, stream)
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

/** Returns undefined where the file cannot be read strictly. */
function attempted<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}
