// Checks whether the stored bytes of a thumbnail are a WebP file of the length that its header states: no hash of
// them is stored.

/** Returns whether the file is complete, by its header alone. `sizeBytes`: length of the file. */
export async function isWholePicture(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<boolean> {
  let header = Buffer.alloc(0)
  for await (const chunk of bytes) {
    header = Buffer.concat([header, chunk])
    if (header.length >= headerBytes) break
  }
  if (header.length < headerBytes) return false
  const [riff, form] = [header.toString('latin1', 0, 4), header.toString('latin1', 8, 12)]
  return riff === 'RIFF' && form === 'WEBP' && header.readUInt32LE(4) + 8 === sizeBytes
}

const headerBytes = 12
