// Reads `/DSS`, the security store of a document (ISO 32000-2, 12.8.4.3). Its content need not be trusted, because
// certificates, CRLs and OCSP responses are signed by their issuers.
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictDictionary, StrictStream, StrictValue } from '../../strict-reader/values.js'
import { ofKind } from '../../strict-reader/values-of.js'
import type { SecurityStore } from './verification-input.js'

const streamsMax = 100
const bytesMax = 32 * 1024 * 1024

/**
 * Reads the stores of all revisions, the oldest first: an update may leave out what it replaces, and must hide no revocation
 * by that, nor push it out of the bounds by what it adds. Entries that cannot be read are skipped. Streams that several
 * entries name are read once.
 */
export function securityStoreOf(document: StrictDocument): SecurityStore {
  const readers = document.revisions.map((revision) => new StoreReader(revision))
  let bytesLeft = bytesMax
  const bytesOf = (stream: StrictStream): readonly Uint8Array[] => {
    if (bytesLeft <= 0) return []
    const bytes = attempted(() => document.decodedBytes(stream))
    bytesLeft -= bytes?.length ?? 0
    return bytes === undefined || bytesLeft < 0 ? [] : [bytes]
  }
  const all = (name: string, short: string): readonly Uint8Array[] => {
    const streams = new Map<number, StrictStream>()
    for (const reader of readers) {
      for (const stream of reader.streams(name, short)) {
        if (streams.size < streamsMax) streams.set(stream.offset, stream)
      }
    }
    return [...streams.values()].flatMap(bytesOf)
  }
  return { certificates: all('Certs', 'Cert'), ocsps: all('OCSPs', 'OCSP'), crls: all('CRLs', 'CRL') }
}

/** The store of one revision. */
class StoreReader {
  #known: readonly StrictDictionary[] | undefined

  constructor(private readonly revision: StrictRevision) {}

  /** Yields the streams in a list of the store, and in those of single signatures. */
  *streams(name: string, short: string): Generator<StrictStream> {
    for (const [index, dictionary] of this.#dictionaries().entries()) {
      const list = ofKind(this.#resolve(dictionary.entries.get(index === 0 ? name : short)), 'array')
      for (const item of list?.items.slice(0, streamsMax) ?? []) {
        const stream = ofKind(this.#resolve(item), 'stream')
        if (stream !== undefined) yield stream
      }
    }
  }

  /** Returns the store, followed by what it has for single signatures; empty if there is none. */
  #dictionaries(): readonly StrictDictionary[] {
    this.#known ??= this.#read()
    return this.#known
  }

  #read(): readonly StrictDictionary[] {
    const catalog = this.#dictionary(this.revision.trailer.entries.get('Root'))
    const store = this.#dictionary(catalog?.entries.get('DSS'))
    if (store === undefined) return []
    const single = [...(this.#dictionary(store.entries.get('VRI'))?.entries.values() ?? [])].slice(0, streamsMax)
    return [store, ...single.flatMap((entry) => this.#dictionary(entry) ?? [])]
  }

  #dictionary(value: StrictValue | undefined): StrictDictionary | undefined {
    return ofKind(this.#resolve(value), 'dictionary')
  }

  #resolve(value: StrictValue | undefined): StrictValue | undefined {
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
