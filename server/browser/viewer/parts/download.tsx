// Saves the document as a file, which the browser writes as it arrives: the page does not hold large files in memory.
import { useState } from 'preact/hooks'
import { saveFrom } from '../../shared/save-as.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { Button } from './button.js'

interface DownloadProps {
  readonly opened: OpenedDocument
  readonly onProblem: (error: unknown) => void
}

export function Download({ opened, onProblem }: DownloadProps) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFrom(await opened.linkTo('download'), `${opened.name.docId}.pdf`)
    } catch (error) {
      onProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return <Button name="download" icon="download" onClick={() => void save()} isOff={isBusy} />
}
