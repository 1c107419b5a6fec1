// Saves the document as a file.
import { useState } from 'preact/hooks'
import type { OpenedDocument } from '../engine/opened-document.js'
import { Button } from './button.js'

export function Download({ opened }: { readonly opened: OpenedDocument }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveAs(await opened.blob('download'), `${opened.name.docId}.pdf`)
    } finally {
      setBusy(false)
    }
  }
  return <Button name="download" icon="download" onClick={() => void save()} isOff={isBusy} />
}

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads the file a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
