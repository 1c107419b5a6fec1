// Prints the pictures of all pages: paper needs no right to save the file.
import { createPortal } from 'preact/compat'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/texts.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { pictureOf } from '../engine/pictures.js'
import { Button } from './button.js'

/** Widths of pictures in pixels: about 150 and 300 in an inch of ordinary paper. */
const widths = { low: 1280, high: 2560 }

interface Sheet {
  readonly url: string
  readonly isWide: boolean
}

interface PrintProps {
  readonly opened: OpenedDocument
  readonly onProblem: (error: unknown) => void
}

export function Print({ opened, onProblem }: PrintProps) {
  const [progress, setProgress] = useState<number | undefined>()
  const [work, setWork] = useState<AbortController | undefined>()
  const [sheets, setSheets] = useState<readonly Sheet[]>([])

  const prepare = async () => {
    setProgress(0)
    const width = opened.may('doc.print.high') ? widths.high : widths.low
    const made: Sheet[] = []
    const controller = new AbortController()
    const { signal } = controller
    setWork(controller)
    try {
      for (const page of opened.describe('').pages) {
        setProgress(page.index + 1)
        const { size, rotation } = page
        const isWide = size.width > size.height !== (rotation % 2 === 1)
        made.push({
          url: URL.createObjectURL(await pictureOf(opened, { page, width, rotation, signal })),
          isWide,
        })
      }
      // For the log of reads of the tenant. Printing goes on without it.
      await opened.send('printed', { method: 'POST' }).catch(() => {})
      setSheets(made)
    } catch (error) {
      for (const { url } of made) URL.revokeObjectURL(url)
      if (!signal.aborted) onProblem(error)
    } finally {
      setProgress(undefined)
    }
  }

  useEffect(() => {
    if (sheets.length === 0) return
    void Promise.all([...document.querySelectorAll<HTMLImageElement>('.sheet')].map((one) => one.decode())).then(() => {
      window.print()
      setSheets([])
    })
    return () => {
      for (const { url } of sheets) URL.revokeObjectURL(url)
    }
  }, [sheets])

  const paper = document.getElementById('paper')
  return (
    <>
      <Button name="print" icon="print" onClick={() => void prepare()} isOff={progress !== undefined} />
      {progress !== undefined && (
        <p class="notice">
          <output>{text('preparing', { number: progress, count: opened.pages.length })}</output>
          <Button name="cancel" icon="close" onClick={() => work?.abort()} />
        </p>
      )}
      {paper &&
        createPortal(
          sheets.map(({ url, isWide }) => <img key={url} class={isWide ? 'sheet wide' : 'sheet'} src={url} alt="" />),
          paper,
        )}
    </>
  )
}
