// Writes a cross-reference section with the offsets of an update's objects, as a table or as a stream.

export interface PlacedObject {
  readonly number: number
  readonly generation: number
  /** Offset from the beginning of the file. */
  readonly offset: number
}

/** Groups objects into subsections of consecutive numbers; `placed` is in numerical order. */
function runsOf(placed: readonly PlacedObject[]): readonly (readonly PlacedObject[])[] {
  const runs: PlacedObject[][] = []
  for (const one of placed) {
    const run = runs.at(-1)
    if (run?.at(-1)?.number === one.number - 1) run.push(one)
    else runs.push([one])
  }
  return runs
}

/** Returns a table with entries of exactly twenty bytes (ISO 32000-2, 7.5.4). */
export function crossReferenceTable(placed: readonly PlacedObject[]): string {
  const entryOf = ({ offset, generation }: PlacedObject): string =>
    `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
  const sections = runsOf(placed).map((run) => `${run[0]?.number ?? 0} ${run.length}\n${run.map(entryOf).join('')}`)
  return `xref\n${sections.join('')}`
}

/** Widths in bytes of an entry's fields: type, offset, generation. */
const [typeBytes, offsetBytes, generationBytes] = [1, 5, 2]
const entryBytes = typeBytes + offsetBytes + generationBytes
const inUse = 1

/** Returns content and describing dictionary members of a cross-reference stream (ISO 32000-2, 7.5.8). */
export function crossReferenceStream(placed: readonly PlacedObject[]): {
  readonly entries: string
  readonly bytes: Buffer
} {
  const bytes = Buffer.alloc(placed.length * entryBytes)
  placed.forEach(({ offset, generation }, index) => {
    const at = index * entryBytes
    bytes.writeUInt8(inUse, at)
    bytes.writeUIntBE(offset, at + typeBytes, offsetBytes)
    bytes.writeUInt16BE(generation, at + typeBytes + offsetBytes)
  })
  const index = runsOf(placed).map((run) => `${run[0]?.number ?? 0} ${run.length}`)
  const widths = [typeBytes, offsetBytes, generationBytes].join(' ')
  return {
    entries: `/Type/XRef/W[${widths}]/Index[${index.join(' ')}]/Length ${bytes.length}`,
    bytes,
  }
}
