// Extracts the objects of the last update from a file that the engine has just written. Only tables are parsed, which
// the engine writes after a table.

/** Returns bytes between `obj` and `endobj` by object number, without free entries. */
export function objectsOfUpdate(file: Buffer): ReadonlyMap<number, Buffer> {
  const [table, text] = tableOf(file)
  const placed = [...offsetsIn(text)].toSorted(([, one], [, other]) => one - other)
  // An object ends where the next one begins; the last one at the table.
  return new Map(
    placed.map(([number, offset], index) => [number, bodyIn(file.subarray(offset, placed[index + 1]?.[1] ?? table))]),
  )
}

function tableOf(file: Buffer): readonly [offset: number, text: string] {
  const place = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.subarray(-64).toString('latin1'))?.[1])
  const end = file.indexOf('trailer', place)
  const text = file.subarray(place, end).toString('latin1')
  if (!text.startsWith('xref') || end < 0) throw new Error('The engine wrote no cross-reference table')
  return [place, text]
}

function offsetsIn(table: string): ReadonlyMap<number, number> {
  const offsets = new Map<number, number>()
  let number = 0
  for (const line of table.split('\n').slice(1)) {
    const start = /^(\d+) \d+\s*$/.exec(line)
    if (start !== null) number = Number(start[1])
    const entry = /^(\d{10}) \d{5} ([nf])/.exec(line)
    if (entry === null) continue
    if (entry[2] === 'n') offsets.set(number, Number(entry[1]))
    number++
  }
  return offsets
}

function bodyIn(object: Buffer): Buffer {
  const begin = /^\d+ \d+ obj\s/.exec(object.subarray(0, 40).toString('latin1'))?.[0].length
  const end = object.lastIndexOf('endobj')
  if (begin === undefined || end < 0) throw new Error('The engine wrote an invalid object')
  return trimmed(object.subarray(begin, end))
}

function trimmed(body: Buffer): Buffer {
  let end = body.length
  while (end > 0 && (body[end - 1] === 0x0a || body[end - 1] === 0x0d)) end--
  return body.subarray(0, end)
}
