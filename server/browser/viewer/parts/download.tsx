// Saves the document as a file, which the browser writes as it arrives: the page does not hold large files in memory.
import { useState } from 'preact/hooks'
import type { OpenedDocument } from '../engine/opened-document.js'
import { Button } from './button.js'

export function Download({ opened }: { readonly opened: OpenedDocument }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveAs(await opened.linkTo('download'), `${opened.name.docId}.pdf`)
    } finally {
      setBusy(false)
    }
  }
  return <Button name="download" icon="download" onClick={() => void save()} isOff={isBusy} />
}

function saveAs(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
