// Saves a file of the reader.

/** Saves bytes. */
export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob)
  saveFrom(address, name)
  // The browser reads the file a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Saves what an address of this server sends, as it arrives. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
